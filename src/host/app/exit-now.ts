/**
 * Ends this process at once. At its exit Node waits for its threads for files and for the names of machines, however
 * long those wait for a disk or for a name server. Where one of them is at work the process kills itself, and nobody
 * learns the code.
 */
export function exitNow(code: number): never {
  if (isThreadAtWork()) {
    process.stderr.write(
      'claviger: a disk or a name server has not answered yet: the process ends by force\n',
    )
    // What is done at an exit, such as the end of the vault.
    process.emit('exit', code)
    process.kill(process.pid, 'SIGKILL')
  }
  process.exit(code)
}

/** What has nothing left to wait for ends within this time, and so does the work of a thread whose disk is well. */
export const LINGER_MS = 500

/** Ends this process, after a moment where a thread is at work: so the code is lost only where a disk hangs. */
export function exitSoon(code: number): void {
  if (isThreadAtWork()) setTimeout(() => exitNow(code), LINGER_MS)
  else process.exit(code)
}

/** Node's names of the calls that its threads carry out for the file system and for the resolver. */
const CALLS_OF_THREADS = /^(FSReq|CloseReq|GetAddrInfo|GetNameInfo)/

function isThreadAtWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => CALLS_OF_THREADS.test(name))
}
