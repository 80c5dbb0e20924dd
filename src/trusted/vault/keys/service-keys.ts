import { present } from '../../base/assert.ts'
import { toHex } from '../../base/bytes.ts'
import type { Ms } from '../../base/world.ts'
import { ed25519PublicKeyOf } from '../../crypto/ed25519.ts'
import type { Keyring } from './keyring.ts'
import type { ServiceKeys } from '../../../protocol/vault.ts'
import { hmacKey } from '../../crypto/hmac.ts'
import { p256Signer, p256UncompressedKeyOf, p256VerifyKey } from '../../crypto/p256.ts'
import { quorumSigner } from '../../crypto/bundles.ts'
import type { TargetRules } from '../../base/public-address.ts'
import type { Service } from '../../catalogue/service.ts'
import { PUBLIC_PURPOSES, type PublicPurpose } from '../../catalogue/service-purposes.ts'
import { verifyingAt } from './service-secrets.ts'

/**
 * P-256 keys as 65 bytes uncompressed, webhook keys as 32 bytes of Ed25519; lowercase hex. Of each, the current one;
 * `versions` also lists the next ones and the earlier ones that still verify.
 */
export function publicServiceKeys(keyring: Keyring, now: Ms): ServiceKeys {
  const used = (purpose: PublicPurpose) => publicHalf[purpose](keyring.serviceSecret(purpose))
  return {
    signer: used('signer'),
    session: used('session'),
    otp: used('otp'),
    oauth2: used('oauth2'),
    webhook: used('webhook'),
    versions: PUBLIC_PURPOSES.flatMap((purpose) =>
      verifyingAt(keyring.serviceKeys(purpose), now).map(({ version, state, secret, until }) => ({
        purpose,
        version,
        state,
        publicKey: publicHalf[purpose](secret.reveal()),
        ...(until === undefined ? {} : { until }),
      })),
    ),
  }
}

function p256Half(secret: Uint8Array): string {
  return toHex(p256UncompressedKeyOf(secret))
}

const publicHalf: Readonly<Record<PublicPurpose, (secret: Uint8Array) => string>> = {
  signer: p256Half,
  session: p256Half,
  otp: p256Half,
  oauth2: p256Half,
  webhook: ed25519PublicKeyOf,
}

/** The keys with which activities sign and open, taken from the key ring at each use. */
export function openService(keyring: Keyring, targets: TargetRules = { allowPrivate: false }): Service {
  const bundleSigner = madeOnce(quorumSigner)
  const signer = madeOnce(p256Signer)
  const verifyKey = madeOnce((secret) => present(p256VerifyKey(p256Half(secret)), 'the key of a secret'))
  const sessionKey = madeOnce(hmacKey)
  const secretsAt = (purpose: 'otp' | 'read-session', at: Ms) =>
    verifyingAt(keyring.serviceKeys(purpose), at).map(({ secret }) => secret.reveal())
  return {
    get bundleSigner() {
      return bundleSigner(keyring.serviceSecret('signer'))
    },
    get sessionSigner() {
      return signer(keyring.serviceSecret('session'))
    },
    get tokenSigner() {
      return signer(keyring.serviceSecret('otp'))
    },
    get tokenBundleSigner() {
      return bundleSigner(keyring.serviceSecret('otp'))
    },
    tokenVerifyKeys: (at) => secretsAt('otp', at).map(verifyKey),
    get oauth2Secrets() {
      return oauth2Secrets(keyring)
    },
    get readSessionKey() {
      return sessionKey(keyring.serviceSecret('read-session'))
    },
    readSessionKeys: (at) => secretsAt('read-session', at).map(sessionKey),
    targets,
  }
}

/** The current one first, then all others: an expired one still opens stored data until it is retired. */
export function oauth2Secrets(keyring: Keyring): Service['oauth2Secrets'] {
  const others = keyring.serviceKeys('oauth2').filter(({ state }) => state !== 'used')
  return [keyring.serviceSecret('oauth2'), ...others.map(({ secret }) => secret.reveal())]
}

/** Caches an expensive derivation of a secret, for as long as the key ring holds the secret. */
function madeOnce<T extends object>(make: (secret: Uint8Array) => T): (secret: Uint8Array) => T {
  const known = new WeakMap<Uint8Array, T>()
  return (secret) => {
    const earlier = known.get(secret)
    if (earlier !== undefined) return earlier
    const made = make(secret)
    known.set(secret, made)
    return made
  }
}
