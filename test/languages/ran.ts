import { start } from '../support/running-service.ts'
import type { Command } from './languages.ts'

/** Runs a command to its end; the code is null when it had to be killed because it did not come to one in time. */
export async function ran(
  { program, args, cwd, environment = {} }: Command,
  withinMs?: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { ended, output, killGroup } = start(args, environment, { program, cwd })
  const timer = withinMs === undefined ? undefined : setTimeout(killGroup, withinMs)
  const code = await ended
  clearTimeout(timer)
  return { code, output: output() }
}
