import { present } from '../../base/assert.ts'
import { fromHex } from '../../base/bytes.ts'
import { taprootOutputKey } from '../../chains/bitcoin-script.ts'
import { invalidHashFunction, invalidPayloadEncoding, wrongDigestLength } from '../../chains/failures.ts'
import { signSchnorr, taprootSecret } from '../../crypto/schnorr.ts'
import { curves } from '../../crypto/curves.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import type { SigningKey } from './signing-key.ts'

export const payloadFailures = [invalidPayloadEncoding, invalidHashFunction, wrongDigestLength]

/**
 * Signs in the scheme of the address that was named: Schnorr for Taproot and Spark, the scheme of the curve for all
 * others. A private key that is named by its id signs in the scheme of its curve, whatever addresses it has
 * (docs/decisions/schnorr.md).
 *
 * @param payloads  digests, or with Ed25519 messages; see `payloadBytesToSign`
 */
export function signPayloads(key: SigningKey, payloads: readonly Uint8Array[]): readonly ResourceSignature[] {
  return signInScheme(key, schemeOf(key), payloads)
}

export type Scheme = 'curve' | 'schnorr' | 'taproot'

export function signInScheme(
  key: SigningKey,
  scheme: Scheme,
  payloads: readonly Uint8Array[],
): readonly ResourceSignature[] {
  const { curve, publicKey } = key
  const secret = key.secret.reveal()
  switch (scheme) {
    case 'curve':
      return curves[curve].signer(secret, publicKey).signAll(payloads)
    case 'schnorr':
      return payloads.map((bytes) => signSchnorr(secret, bytes, pointOf(publicKey).subarray(1)))
    case 'taproot': {
      const tweaked = taprootSecret(secret)
      const outputKey = taprootOutputKey(pointOf(publicKey))
      const signatures = payloads.map((bytes) => signSchnorr(tweaked, bytes, outputKey))
      tweaked.fill(0)
      return signatures
    }
  }
}

export function schemeOf({ addressFormat }: SigningKey): Scheme {
  if (addressFormat === undefined) return 'curve'
  if (addressFormat.endsWith('_P2TR')) return 'taproot'
  return addressFormat.startsWith('ADDRESS_FORMAT_SPARK_') ? 'schnorr' : 'curve'
}

function pointOf(publicKey: string): Uint8Array {
  return present(fromHex(publicKey), 'a public key is hexadecimal')
}
