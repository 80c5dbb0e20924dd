import { explain } from './policies/explain.ts'
import { lint } from './policies/lint.ts'
import { replay } from './policies/replay.ts'
import { test } from './policies/test.ts'
import { tryRequest } from './policies/try.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'

type Command = (args: readonly string[]) => Promise<ExitCode<CommandOf<'policies'>>>

const commands: { readonly [name: string]: Command } = { lint, test, try: tryRequest, replay, explain }

/** `claviger policies`: shows the effect of policies before they are used. */
export async function policies([name = '', ...args]: readonly string[]): Promise<
  ExitCode<CommandOf<'policies'>>
> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new UsageError(`one of: ${Object.keys(commands).join(', ')}`)
  return await command(args)
}
