import type { Config } from '../app/config.ts'
import { eraseCommand } from './organization/erase.ts'
import { exportCommand } from './organization/export.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'

/** `claviger organization`: exports one organization's data into a file, and erases personal data of a deleted one. */
export async function organization(
  config: Config,
  [name, ...args]: readonly string[],
): Promise<ExitCode<CommandOf<'organization'>>> {
  if (name === 'export') return await exportCommand(config, args)
  if (name === 'erase') return await eraseCommand(config, args)
  throw new UsageError('one of: export, erase')
}
