import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

type KillableWriter = {
  /** Resolves when this number of units has been acknowledged. */
  readonly acknowledged: (count: number) => Promise<void>
  /** Kills the process and returns the numbers of all units that it saw acknowledged. */
  readonly kill: () => Promise<readonly number[]>
}

/**
 * A process that commits signatures without end, with the arguments of crash-writer.ts; it is at work when this
 * resolves.
 */
export async function aWriter(t: TestContext, args: readonly string[]): Promise<KillableWriter> {
  const script = fileURLToPath(new URL('./crash-writer.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args])
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  child.stderr.pipe(process.stderr)
  const lines = () => told.split('\n').slice(0, -1)
  const acknowledged = async (count: number) => {
    while (lines().length < count) {
      if (child.exitCode !== null) throw new Error(`the writer ended with ${child.exitCode}`)
      await Promise.race([once(child.stdout, 'data'), ended])
    }
  }
  await acknowledged(1)
  return {
    acknowledged,
    kill: async () => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      return lines().map(Number)
    },
  }
}
