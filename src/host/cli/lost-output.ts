/** The commands whose output is a log: what is served matters more than a line of it. */
const LOGS = ['dev', 'serve', 'vault']

/**
 * No closed or full output ends a command in the middle of its work. If the result of a command could not be written,
 * such as to a file on a full disk, the command fails at its end. A reader that has closed its pipe, such as `head`,
 * needs no more of it.
 */
export function noticeLostOutput(command: string | undefined): void {
  let lost: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost = error
  })
  process.stderr.on('error', () => {})
  process.on('exit', () => {
    if (lost === undefined || process.exitCode !== 0 || LOGS.includes(command ?? '')) return
    process.stderr.write(
      `claviger ${command ?? 'help'}: the work is done, and its result could not be written (${lost.message})\n`,
    )
    process.exitCode = 1
  })
}
