import type { Config } from '../app/config.ts'
import { rootKeyFileTrouble } from './root-key-file.ts'
import { addServiceKey } from './service-key/add-service-key.ts'
import { listServiceKeys } from './service-key/list-service-keys.ts'
import { retireServiceKey } from './service-key/retire-service-key.ts'
import { useServiceKey } from './service-key/use-service-key.ts'
import { readWords } from './arguments.ts'
import { UsageError } from './usage.ts'
import { SERVICE_PURPOSES } from '../../trusted/catalogue/service-purposes.ts'
import { isServicePurpose } from '../../trusted/vault/keys/service-secrets.ts'

/**
 * `claviger service-key`: versions of the service's own keys, from the day on which they are first shown to their last.
 */
export async function serviceKey(config: Config, args: readonly string[]): Promise<number> {
  const { words, values } = readWords(args, { json: { type: 'boolean' } })
  const [name, purpose, version, ...rest] = words
  const trouble = rootKeyFileTrouble(config)
  if (trouble !== undefined) throw new UsageError(trouble)
  const out = { isJson: values.json === true }
  if (name === 'list' && purpose === undefined) return await listServiceKeys(config, out)
  if (rest.length > 0 || !['add', 'use', 'retire'].includes(name ?? '')) throw usage()
  if (!isServicePurpose(purpose)) throw usage()
  if (name === 'add' && version === undefined) return await addServiceKey(config, purpose, out)
  if (name === 'use' && version === undefined) return await useServiceKey(config, purpose, out)
  if (name === 'retire' && /^[1-9]\d{0,5}$/.test(version ?? ''))
    return await retireServiceKey(config, { purpose, version: Number(version) }, out)
  throw usage()
}

function usage(): UsageError {
  return new UsageError(
    `one of: list, add KEY, use KEY, retire KEY VERSION; each KEY is one of ${SERVICE_PURPOSES.join(', ')}`,
  )
}
