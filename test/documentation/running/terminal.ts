import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { ownEnvironment, type Settings, start } from '../../support/running-service.ts'

type Ran = { readonly code: number; readonly output: string }

/** The reader's terminal: one shell that keeps its variables and its folder from block to block. */
type Terminal = {
  /** Runs the lines; the first command that fails ends them, and the terminal with them unless it `mayFail`. */
  readonly run: (text: string, options?: { readonly mayFail?: boolean }) => Promise<Ran>
  readonly close: () => void
}

/** Where the blocks of a page are run. */
export type Place = {
  readonly folder: string
  /** For the scripts of the blocks, so that the reader's folder holds only what the page makes. */
  readonly aside: string
  readonly environment: Settings
}

export function openTerminal({ folder, aside, environment }: Place): Terminal {
  const env = { ...ownEnvironment(), ...environment }
  // A group of its own, so that a command that does not end is ended with it.
  const shell = spawn('sh', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  let written = ''
  let hasEnded = false
  shell.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  shell.on('close', () => {
    hasEnded = true
  })
  // A shell that has ended takes no more lines; the wait below sees that.
  shell.stdin.on('error', () => {})
  shell.stdin.write('exec 2>&1\n')
  let blocks = 0
  return {
    run: async (text, { mayFail = false } = {}) => {
      blocks += 1
      const script = join(aside, `block-${blocks}.sh`)
      writeFileSync(script, text)
      written = ''
      const end = new RegExp(`\\n=== ${blocks} ended (\\d+)\\n$`)
      const command = mayFail ? `( . ${script} ) < /dev/null` : `set -e; . ${script} < /dev/null; set +e`
      shell.stdin.write(`${command}\nprintf '\\n=== ${blocks} ended %d\\n' $?\n`)
      await eventually(
        () => hasEnded || end.test(written),
        () => `the commands did not end:\n${written}`,
      ).catch((error: unknown) => {
        if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
        throw error
      })
      return { code: Number(end.exec(written)?.[1] ?? 1), output: written.replace(end, '') }
    },
    close: () => {
      shell.stdin.end()
    },
  }
}

/** Another terminal, in which something goes on running until the page is over. */
export function otherTerminal({ folder, aside, environment }: Place, name: string, text: string) {
  const script = join(aside, `${name}.sh`)
  writeFileSync(script, text)
  return start(['-e', script], environment, { program: 'sh', cwd: folder })
}
