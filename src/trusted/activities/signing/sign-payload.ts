import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { SLICE, type Units, type Work } from '../../base/work.ts'
import { fromHex } from '../../base/bytes.ts'
import { type SigningScheme, signingScheme } from '../../chains/address-format.ts'
import { taprootOutputKey } from '../../chains/bitcoin-script.ts'
import { invalidHashFunction, invalidPayloadEncoding, wrongDigestLength } from '../../chains/failures.ts'
import { isSchnorrQuick, signSchnorr, taprootSecret } from '../../crypto/schnorr.ts'
import { curves } from '../../crypto/curves.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import type { ToSign } from '../../chains/transaction.ts'
import type { SigningKey } from './signing-key.ts'

export const payloadFailures = [invalidPayloadEncoding, invalidHashFunction, wrongDigestLength]

/**
 * Signs in the scheme of the address that was named: Schnorr for Taproot and Spark, the scheme of the curve for all
 * others. A private key that is named by its id signs in the scheme of its curve, whatever addresses it has
 * (docs/decisions/schnorr.md).
 *
 * @param payloads  digests, or with Ed25519 messages; see `readPayload`
 */
export async function signPayloads(
  key: SigningKey,
  payloads: readonly Uint8Array[],
  work: Work,
): Promise<readonly ResourceSignature[]> {
  return await signInScheme(key, schemeOf(key), payloads, work)
}

/** Signs each item in its own scheme; in the order of `toSign`. */
export async function signEach(
  key: SigningKey,
  toSign: readonly ToSign[],
  work: Work,
): Promise<readonly ResourceSignature[]> {
  const signatures: ResourceSignature[] = []
  for (let at = 0; at < toSign.length; ) {
    const { scheme } = present(toSign[at], 'what is to be signed')
    const run = runOf(toSign, at)
    const payloads = run.map(({ bytes }) => bytes)
    signatures.push(...(await signInScheme(key, scheme, payloads, work)))
    at += run.length
  }
  return signatures
}

/** The following items with the same scheme, from this index on. */
function runOf(toSign: readonly ToSign[], from: number): readonly ToSign[] {
  const end = toSign.findIndex((item, at) => at > from && item.scheme !== toSign[from]?.scheme)
  return toSign.slice(from, end === -1 ? undefined : end)
}

async function signInScheme(
  key: SigningKey,
  scheme: SigningScheme,
  payloads: readonly Uint8Array[],
  work: Work,
): Promise<readonly ResourceSignature[]> {
  const { curve, publicKey } = key
  const secret = key.secret.reveal()
  switch (scheme) {
    case 'curve':
      return await inParts(payloads, costs.signature, work, curves[curve].signer(secret, publicKey).signAll)
    case 'schnorr':
      return await withSchnorr(secret, pointOf(publicKey).subarray(1), payloads, work)
    case 'taproot': {
      const tweaked = taprootSecret(secret)
      try {
        return await withSchnorr(tweaked, taprootOutputKey(pointOf(publicKey)), payloads, work)
      } finally {
        tweaked.fill(0)
      }
    }
  }
}

async function withSchnorr(
  secret: Uint8Array,
  publicKey: Uint8Array,
  payloads: readonly Uint8Array[],
  work: Work,
): Promise<readonly ResourceSignature[]> {
  const cost = isSchnorrQuick ? costs.schnorrSignature : costs.schnorrSignatureWithoutLibrary
  return await inParts(payloads, cost, work, (part) =>
    part.map((bytes) => signSchnorr(secret, bytes, publicKey)),
  )
}

/** Signing several at once costs less for each. */
async function inParts(
  payloads: readonly Uint8Array[],
  cost: Units,
  work: Work,
  sign: (part: readonly Uint8Array[]) => readonly ResourceSignature[],
): Promise<readonly ResourceSignature[]> {
  const each = Math.max(1, Math.floor(SLICE / cost))
  const signatures: ResourceSignature[] = []
  for (let at = 0; at < payloads.length; at += each) {
    const part = payloads.slice(at, at + each)
    const bytes = part.reduce((sum, { length }) => sum + length, 0)
    work.charge(part.length * cost + bytes * costs.signedByte)
    const pause = work.pause()
    if (pause !== undefined) await pause
    signatures.push(...sign(part))
  }
  return signatures
}

export function schemeOf({ addressFormat }: SigningKey): SigningScheme {
  return addressFormat === undefined ? 'curve' : signingScheme(addressFormat)
}

function pointOf(publicKey: string): Uint8Array {
  return present(fromHex(publicKey), 'a public key is hexadecimal')
}
