import { present } from '../../base/assert.ts'
import { fromHex } from '../../base/bytes.ts'
import { taprootOutputKey } from '../../chains/bitcoin-script.ts'
import { invalidHashFunction, invalidPayloadEncoding, wrongDigestLength } from '../../chains/failures.ts'
import { signSchnorr, taprootSecret } from '../../crypto/schnorr.ts'
import { curves } from '../../crypto/sign-payload.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import type { SigningKey } from './signing-key.ts'

export const payloadFailures = [invalidPayloadEncoding, invalidHashFunction, wrongDigestLength]

/**
 * Signs in the scheme of the address that was named: Schnorr for Taproot and Spark, the scheme of the curve for all
 * others. A private key that is named by its id signs in the scheme of its curve, whatever addresses it has
 * (docs/decisions/schnorr.md).
 *
 * @param bytes  the digest, or with Ed25519 the message; see `payloadBytesToSign`
 */
export function signPayload(key: SigningKey, bytes: Uint8Array): ResourceSignature {
  return signInScheme(key, schemeOf(key), bytes)
}

export type Scheme = 'curve' | 'schnorr' | 'taproot'

export function signInScheme(key: SigningKey, scheme: Scheme, bytes: Uint8Array): ResourceSignature {
  const { curve, publicKey } = key
  const secret = key.secret.reveal()
  switch (scheme) {
    case 'curve':
      return curves[curve].sign(secret, bytes, publicKey)
    case 'schnorr':
      return signSchnorr(secret, bytes, pointOf(publicKey).subarray(1))
    case 'taproot': {
      const tweaked = taprootSecret(secret)
      const signature = signSchnorr(tweaked, bytes, taprootOutputKey(pointOf(publicKey)))
      tweaked.fill(0)
      return signature
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
