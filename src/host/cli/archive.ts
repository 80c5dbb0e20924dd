import type { Config } from '../app/config.ts'
import { find } from './archive/find.ts'
import { make } from './archive/make.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'

/** `claviger archive`: moves settled activities of past months from the store into files, and reads such files. */
export async function archive(
  config: Config,
  [name, ...args]: readonly string[],
): Promise<ExitCode<CommandOf<'archive'>>> {
  if (name === 'make') return await make(config, args)
  if (name === 'find') return await find(config, args)
  throw new UsageError('one of: make, find')
}
