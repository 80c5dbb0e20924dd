import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a program writes, without the blanks at the end. @throws Error with what it says when it fails */
export function outputOf(
  program: string,
  args: readonly string[],
  folder: URL,
  env: NodeJS.ProcessEnv = process.env,
): string {
  // On Windows npm is a script, which only a shell finds.
  const shell = process.platform === 'win32' && program === 'npm'
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: fileURLToPath(folder),
    encoding: 'utf8',
    env,
    shell,
  })
  if (status !== 0)
    throw new Error(`${[program, ...args].join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout.trimEnd()
}
