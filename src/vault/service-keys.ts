import { toHex } from '../base/bytes.ts'
import { ed25519PublicKeyOf } from '../crypto/ed25519.ts'
import { p256UncompressedKeyOf } from '../crypto/p256.ts'
import type { Keyring } from './keyring.ts'
import type { ServiceKeys } from './protocol.ts'

/** P-256 keys as 65 bytes uncompressed, the webhook key as 32 bytes of Ed25519; lowercase hex. */
export function publicServiceKeys(keyring: Keyring): ServiceKeys {
  const p256 = (purpose: 'signer' | 'session' | 'otp') =>
    toHex(p256UncompressedKeyOf(keyring.serviceSecret(purpose)))
  return {
    signer: p256('signer'),
    session: p256('session'),
    otp: p256('otp'),
    webhook: ed25519PublicKeyOf(keyring.serviceSecret('webhook')),
  }
}
