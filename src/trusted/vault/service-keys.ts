import { present } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import type { Ms } from '../base/world.ts'
import { ed25519PublicKeyOf } from '../crypto/ed25519.ts'
import type { Keyring } from './keyring.ts'
import type { ServiceKeys } from '../../protocol/vault.ts'
import { hmacKey } from '../crypto/hmac.ts'
import { p256Signer, p256UncompressedKeyOf, p256VerifyKey } from '../crypto/p256.ts'
import { quorumSigner } from '../crypto/bundles.ts'
import type { TargetRules } from '../base/public-address.ts'
import type { Service } from '../catalogue/service.ts'

/**
 * P-256 keys as 65 bytes uncompressed, webhook keys as 32 bytes of Ed25519; lowercase hex. Of webhook keys also those that will be used,
 * and those that were and still verify.
 */
export function publicServiceKeys(keyring: Keyring, now: Ms): ServiceKeys {
  const p256 = (purpose: 'signer' | 'session' | 'otp' | 'oauth2') =>
    toHex(p256UncompressedKeyOf(keyring.serviceSecret(purpose)))
  return {
    signer: p256('signer'),
    session: p256('session'),
    otp: p256('otp'),
    oauth2: p256('oauth2'),
    webhook: ed25519PublicKeyOf(keyring.serviceSecret('webhook')),
    webhookKeys: keyring
      .serviceKeys('webhook')
      .filter(({ until = Number.POSITIVE_INFINITY }) => now < until)
      .map(({ secret }) => ed25519PublicKeyOf(secret.reveal())),
  }
}

/** What activities sign and open with. */
export function openService(keyring: Keyring, targets: TargetRules = { allowPrivate: false }): Service {
  const tokens = keyring.serviceSecret('otp')
  return {
    bundleSigner: quorumSigner(keyring.serviceSecret('signer')),
    sessionSigner: p256Signer(keyring.serviceSecret('session')),
    tokenSigner: p256Signer(tokens),
    tokenBundleSigner: quorumSigner(tokens),
    tokenVerifyKey: present(p256VerifyKey(toHex(p256UncompressedKeyOf(tokens))), 'the key of a secret'),
    oauth2Secret: keyring.serviceSecret('oauth2'),
    readSessionKey: hmacKey(keyring.serviceSecret('read-session')),
    targets,
  }
}
