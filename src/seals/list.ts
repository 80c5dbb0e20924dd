import { RootKeyError } from '../trusted/vault/root-key-error.ts'
import { passphrase } from './passphrase.ts'
import type { Seal } from './seal.ts'

/** Every seal that a root key file can name. */
const seals: readonly Seal[] = [passphrase]

/** @throws RootKeyError */
export function sealNamed(name: string): Seal {
  const found = seals.find((seal) => seal.name === name)
  if (found === undefined)
    throw new RootKeyError(
      `this version does not know the seal "${name}"; it knows ${seals.map((seal) => seal.name).join(', ')}`,
    )
  return found
}
