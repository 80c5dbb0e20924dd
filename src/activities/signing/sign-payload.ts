import { present } from '../../base/assert.ts'
import { fromHex } from '../../base/bytes.ts'
import type { Opened } from '../../catalogue/objects.ts'
import type { AddressFormat } from '../../chains/address-format.ts'
import { taprootOutputKey } from '../../chains/bitcoin-script.ts'
import { invalidHashFunction, invalidPayloadEncoding, wrongDigestLength } from '../../chains/failures.ts'
import { signSchnorr, taprootSecret } from '../../crypto/schnorr.ts'
import { curves } from '../../crypto/sign-payload.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import type { PrivateKey } from '../private-keys/private-key.ts'

export const payloadFailures = [invalidPayloadEncoding, invalidHashFunction, wrongDigestLength]

/**
 * Signs in the scheme of the address that was named: Schnorr for Taproot and Spark, the scheme of the curve for all
 * others. A key that is named by its id signs in the scheme of its curve, whatever addresses it has
 * (docs/decisions/schnorr.md).
 *
 * @param bytes  the digest, or with Ed25519 the message; see `payloadBytesToSign`
 */
export function signPayload(key: Opened<PrivateKey>, signWith: string, bytes: Uint8Array): ResourceSignature {
  const { curve, publicKey } = key.body
  const secret = key.secret.reveal()
  switch (schemeOf(key, signWith)) {
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

export function schemeOf({ body }: Opened<PrivateKey>, signWith: string): 'curve' | 'schnorr' | 'taproot' {
  const format = body.addresses.find(({ address }) => address === signWith)?.format
  return format === undefined ? 'curve' : schemeOfFormat(format)
}

function schemeOfFormat(format: AddressFormat): 'curve' | 'schnorr' | 'taproot' {
  if (format.endsWith('_P2TR')) return 'taproot'
  return format.startsWith('ADDRESS_FORMAT_SPARK_') ? 'schnorr' : 'curve'
}

function pointOf(publicKey: string): Uint8Array {
  return present(fromHex(publicKey), 'a public key is hexadecimal')
}
