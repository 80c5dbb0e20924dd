import { Failure } from '../base/failure.ts'
import { type JsonObject, readJsonObject } from '../base/strict-json.ts'
import { bundleNotRead } from './bundles.ts'
import { readP256Key } from './p256.ts'

/**
 * Reads what a client encrypted to the target of a one-time code: JSON `{"otp_code", "public_key"}`; other keys are
 * ignored.
 *
 * @param plaintext  as `openClientBundle` returned it
 * @returns          the code as typed; the key to bind the token to, compressed lowercase hex
 * @throws           Failure `bundleNotRead`
 */
export function readOtpPlaintext(plaintext: Uint8Array): {
  readonly otpCode: string
  readonly publicKey: string
} {
  const { otp_code, public_key } = readPlaintextJson(plaintext)
  if (typeof otp_code !== 'string') throw bundleNotRead({ why: '"otp_code" inside is not a text' })
  const key = typeof public_key === 'string' ? readP256Key(public_key) : undefined
  if (key === undefined) throw bundleNotRead({ why: '"public_key" inside is not the hex of a P-256 point' })
  return { otpCode: otp_code, publicKey: key.compressed }
}

function readPlaintextJson(plaintext: Uint8Array): JsonObject {
  try {
    return readJsonObject(plaintext)
  } catch (error) {
    if (error instanceof Failure) throw bundleNotRead({ why: 'its content is not a JSON object' })
    throw error
  }
}
