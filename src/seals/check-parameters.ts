import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import type { SealParameters } from './seal.ts'

/**
 * Checks the parameters of a seal: all required ones, and no unknown ones.
 *
 * @throws RootKeyError
 */
export function checkParameters(
  seal: string,
  parameters: SealParameters,
  required: readonly string[],
  optional: readonly string[] = [],
): SealParameters {
  const missing = required.filter((name) => (parameters[name] ?? '') === '')
  if (missing.length > 0)
    throw new RootKeyError(`the seal ${seal} needs ${missing.map((name) => `${name}=…`).join(' ')}`)
  const unknown = Object.keys(parameters).filter((name) => ![...required, ...optional].includes(name))
  if (unknown.length > 0) throw new RootKeyError(`the seal ${seal} does not know ${unknown.join(', ')}`)
  return parameters
}
