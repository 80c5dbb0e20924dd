import assert from 'node:assert/strict'
import { ApiKeyStamper, SignatureFormat } from '@turnkey/api-key-stamper'
import { getClientSignatureMessageForLogin, getClientSignatureMessageForSignup } from '@turnkey/core'
import { encryptOtpCodeToBundle, generateP256KeyPair, verifyOtpVerificationToken } from '@turnkey/crypto'
import { assertActivityCompleted } from '@turnkey/http'
import { present } from '../../src/trusted/base/assert.ts'
import { codeIn } from './inbox.ts'
import type { KeyPair, Setting } from './setting.ts'

/** A contact that somebody has proven, and the key that may use the token. */
export type Proven = { readonly verificationToken: string; readonly keys: KeyPair; readonly contact: string }

type Contact = { readonly otpType: 'OTP_TYPE_EMAIL' | 'OTP_TYPE_SMS'; readonly contact: string }

/** Another for every call. */
export function newAddress(name: string): string {
  return `${name}-${crypto.randomUUID()}@example.com`
}

/** Asks for a code, reads it where it was sent to, and has it verified, encrypted by the published library. */
export async function provenContact(
  { root, keys: published, inbox }: Pick<Setting, 'root' | 'keys' | 'inbox'>,
  { otpType, contact }: Contact,
  { messages = 1, keys = generateP256KeyPair() }: { messages?: number; keys?: KeyPair } = {},
): Promise<Proven> {
  const initiated = await root.client.initOtp(
    root.activity('ACTIVITY_TYPE_INIT_OTP_V3', { otpType, contact, appName: 'Example' }),
  )
  assertActivityCompleted(initiated.activity)
  const { otpId, otpEncryptionTargetBundle } = present(initiated.activity.result.initOtpResultV2, 'a code')
  const code = codeIn(await inbox.newest(contact, messages))
  const encryptedOtpBundle = await encryptOtpCodeToBundle(
    code,
    otpEncryptionTargetBundle,
    keys.publicKey,
    published.otp,
  )
  const verified = await root.client.verifyOtp(
    root.activity('ACTIVITY_TYPE_VERIFY_OTP_V2', { otpId, encryptedOtpBundle }),
  )
  assertActivityCompleted(verified.activity)
  const { verificationToken } = present(verified.activity.result.verifyOtpResult, 'a token')
  const claims = await verifyOtpVerificationToken(verificationToken, published.otp)
  assert.deepEqual(
    [claims.contact, claims.verification_type, claims.organization_id, claims.public_key],
    [contact, otpType, root.organizationId, keys.publicKey],
  )
  return { verificationToken, keys, contact }
}

/**
 * The signature of a client over its login with this session key, which is the key of the token unless another is
 * given.
 */
export async function loginSignature({ verificationToken, keys }: Proven, sessionPublicKey?: string) {
  return await signed(
    getClientSignatureMessageForLogin({
      verificationToken,
      ...(sessionPublicKey === undefined ? {} : { sessionPublicKey }),
    }),
    keys,
  )
}

/** The signature of a client over its sign-up. */
export async function signUpSignature(
  { verificationToken, keys }: Proven,
  about: Omit<Parameters<typeof getClientSignatureMessageForSignup>[0], 'verificationToken'>,
) {
  return await signed(getClientSignatureMessageForSignup({ verificationToken, ...about }), keys)
}

async function signed(
  { message, publicKey }: { readonly message: string; readonly publicKey: string },
  keys: KeyPair,
) {
  assert.equal(publicKey, keys.publicKey)
  const stamper = new ApiKeyStamper({ apiPublicKey: keys.publicKey, apiPrivateKey: keys.privateKey })
  const signature = await stamper.sign(message, SignatureFormat.Raw)
  return { publicKey, scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256', message, signature } as const
}
