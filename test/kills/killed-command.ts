import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, type Settings, temporaryFolder } from '../support/running-service.ts'

/** What a command passes: writes to files, renamings of files, changes and commits of a database of either kind. */
export type KillPoint = 'write' | 'rename' | 'database'

const NODE_OPTIONS = `--import=${new URL('kill-at.ts', import.meta.url).href}`

/** How often a command passes each point, when it comes to its end. */
export async function pointsOf(
  args: readonly string[],
  settings: Settings,
): Promise<Readonly<Record<KillPoint, number>>> {
  const counted = join(temporaryFolder(), 'points')
  const { code, output } = await runCommand(args, { ...settings, NODE_OPTIONS, KILL_COUNT_FILE: counted })
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`)
  // It was written by `kill-at.ts`.
  return JSON.parse(readFileSync(counted, 'utf8')) as Readonly<Record<KillPoint, number>>
}

/** Runs a command that is killed where it passes this point the nth time. */
export async function killCommand(
  point: KillPoint,
  nth: number,
  args: readonly string[],
  settings: Settings,
): Promise<void> {
  const { code, output } = await runCommand(args, { ...settings, NODE_OPTIONS, KILL_AT: `${point}:${nth}` })
  if (code !== null) throw new Error(`${args.join(' ')} was not killed at ${point}:${nth}: ${output}`)
}
