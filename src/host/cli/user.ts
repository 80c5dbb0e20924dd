import type { Config } from '../app/config.ts'
import { UsageError } from './usage.ts'
import { eraseCommand } from './user/erase.ts'
import type { ExitCode } from './exit-codes.ts'

/** `claviger user`: erases the data about a deleted user from records. */
export async function user(
  config: Config,
  [name, ...args]: readonly string[],
): Promise<ExitCode<'user erase'>> {
  if (name === 'erase') return await eraseCommand(config, args)
  throw new UsageError('one of: erase')
}
