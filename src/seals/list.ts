import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { keyServiceSeals } from './key-services/key-service-seals.ts'
import { passphrase } from './passphrase.ts'
import { pkcs11 } from './pkcs11.ts'
import { recovery } from './recovery/recovery.ts'
import type { Seal } from './seal.ts'
import { shamir } from './shamir/shamir.ts'
import { tpm2 } from './tpm2.ts'
import { transit } from './transit.ts'

/** Every seal that a root key file can name. */
const seals: readonly Seal[] = [passphrase, shamir, tpm2, pkcs11, transit, ...keyServiceSeals, recovery]

/** @throws RootKeyError */
export function sealNamed(name: string): Seal {
  const found = seals.find((seal) => seal.name === name)
  if (found === undefined)
    throw new RootKeyError(
      `this version does not know the seal "${name}"; it knows ${seals.map((seal) => seal.name).join(', ')}`,
    )
  return found
}
