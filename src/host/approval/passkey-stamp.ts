import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromBase64url, toBase64url, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { readWebauthnStamp } from '../../trusted/crypto/stamp-webauthn.ts'
import { readIntegerMap } from '../../trusted/crypto/webauthn-cbor.ts'
import { normalChallenge, readClientData } from '../../trusted/crypto/webauthn-client-data.ts'
import { isConsent } from '../../trusted/crypto/webauthn-consent.ts'
import { isP256 } from './p256-signature.ts'
import type { ShownStamp, StampCheck } from './stamp-check.ts'

/**
 * Like the vault's check of an assertion, but without its origin, which depends on the organization. A page loads this
 * file only for the stamp of a passkey.
 */
export async function checkPasskey(
  { publicKey, signature }: ShownStamp,
  request: Uint8Array,
): Promise<StampCheck> {
  const stamp = readWebauthnStamp(signature)
  const [authenticatorData, clientDataJson, der, cose] = [
    stamp.authenticatorData,
    stamp.clientDataJson,
    stamp.signature,
    publicKey,
  ].map(fromBase64url)
  if (!authenticatorData || !clientDataJson || !der || !cose) return { kind: 'wrong' }
  const point = p256Point(cose)
  if (point === undefined) return { kind: 'unknown' }
  const clientData = readClientData(clientDataJson)
  const isForRequest =
    clientData?.type === 'webauthn.get' &&
    normalChallenge(clientData.challenge) === toBase64url(utf8(toHex(sha256(request))))
  const signed = concat(authenticatorData, sha256(clientDataJson))
  return isConsent(authenticatorData) && isForRequest && (await isP256(point, signed, der))
    ? { kind: 'verified', key: `passkey ${stamp.credentialId}` }
    : { kind: 'wrong' }
}

/** Undefined for a key of another kind. Labels are those of the IANA COSE registries. */
function p256Point(cose: Uint8Array): Uint8Array | undefined {
  const parameters = readIntegerMap(cose)
  const [x, y] = [parameters?.get(-2), parameters?.get(-3)]
  const isEs256 = parameters?.get(1) === 2 && parameters.get(3) === -7 && parameters.get(-1) === 1
  if (!isEs256 || !(x instanceof Uint8Array && y instanceof Uint8Array)) return undefined
  return concat(Uint8Array.of(4), x, y)
}
