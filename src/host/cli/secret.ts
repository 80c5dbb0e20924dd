import { runWithSecrets } from './secret/run.ts'
import { UsageError } from './usage.ts'

/** `claviger secret`: secrets for one process. */
export async function secret([name = '', ...args]: readonly string[]): Promise<number> {
  if (name !== 'run') throw new UsageError('one of: run')
  return await runWithSecrets(args)
}
