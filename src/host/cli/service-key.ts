import type { Config } from '../app/config.ts'
import { rootKeyFileTrouble } from './root-key-file.ts'
import type { Out } from './root-key/say.ts'
import { addServiceKey } from './service-key/add-service-key.ts'
import { listServiceKeys } from './service-key/list-service-keys.ts'
import { retireServiceKey } from './service-key/retire-service-key.ts'
import { useServiceKey } from './service-key/use-service-key.ts'
import { readWords } from './arguments.ts'
import { UsageError } from './usage.ts'
import { SERVICE_PURPOSES } from '../../trusted/catalogue/service-purposes.ts'
import { isServicePurpose } from '../../trusted/vault/keys/service-secrets.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'
import { CommandError } from './command-error.ts'

/**
 * `claviger service-key`: versions of the service's own keys, from the day on which they are first shown to their last.
 */
export async function serviceKey(
  config: Config,
  args: readonly string[],
): Promise<ExitCode<CommandOf<'service-key'>>> {
  const { words, values } = readWords(args, { json: { type: 'boolean' } })
  const command = commandIn(config, words, { isJson: values.json === true })
  if (command === undefined)
    throw new UsageError(
      `one of: list, add KEY, use KEY, retire KEY VERSION; each KEY is one of ${SERVICE_PURPOSES.join(', ')}`,
    )
  const trouble = rootKeyFileTrouble(config)
  if (trouble !== undefined) throw new CommandError(trouble)
  return await command()
}

function commandIn(
  config: Config,
  [name, purpose, version, ...rest]: readonly string[],
  out: Out,
): (() => Promise<ExitCode<CommandOf<'service-key'>>>) | undefined {
  if (name === 'list' && purpose === undefined) return async () => await listServiceKeys(config, out)
  if (rest.length > 0 || !isServicePurpose(purpose)) return undefined
  if (name === 'add' && version === undefined) return async () => await addServiceKey(config, purpose, out)
  if (name === 'use' && version === undefined) return async () => await useServiceKey(config, purpose, out)
  if (name !== 'retire' || !/^[1-9]\d{0,5}$/.test(version ?? '')) return undefined
  return async () => await retireServiceKey(config, { purpose, version: Number(version) }, out)
}
