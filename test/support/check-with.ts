import { spawn } from 'node:child_process'

/** Runs a command to its end: undefined when it succeeded, else all that it wrote. */
export async function checkWith(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const written: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => written.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => written.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code === 0) return undefined
  const text = Buffer.concat(written).toString('utf8').trim()
  return text === '' ? `it ended with ${code}` : text
}
