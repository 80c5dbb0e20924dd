import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, type Shape, text, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { bundleNotOpened, bundleNotRead, openClientBundle } from '../../crypto/bundles.ts'
import { otpTargetSecret } from '../../crypto/one-time-code.ts'
import { readOtpPlaintext } from '../../crypto/otp-plaintext.ts'
import { readP256Key } from '../../crypto/p256.ts'
import { withoutSignature } from '../../crypto/jwt.ts'
import { peekVerificationToken, signVerificationToken } from '../../crypto/verification-token.ts'
import { invalidSessionKey } from '../sessions/session-key.ts'
import { invalidOtpCode, otpVersionsMixed } from './failures.ts'
import { otpCode } from './otp-code.ts'
import { contactOfCode } from '../../objects/otp-contact.ts'
import { secondsText } from './seconds.ts'
import { type LiveCode, liveCode, tryCode } from './try-code.ts'

const TOKEN_SECONDS_DEFAULT = 3_600
const TOKEN_SECONDS_MAX = 86_400

const expirationSeconds = optional(secondsText(TOKEN_SECONDS_MAX))
const plain = object({
  otpId: uuid,
  otpCode,
  expirationSeconds,
  publicKey: optional(text({ max: 256 })),
})
const encrypted = object({
  otpId: uuid,
  encryptedOtpBundle: text({ min: 1, max: 4_096 }),
  expirationSeconds,
})

/** The code in one of two ways: encrypted with its key, or plain, as the first version has it. */
type VerifyOtp = {
  readonly otpId: string
  readonly expirationSeconds?: string
  readonly encryptedOtpBundle?: string
  readonly plain?: Pick<TypeOf<typeof plain>, 'otpCode' | 'publicKey'>
}

const newest: Shape<VerifyOtp> = encrypted

export const verifyOtp = defineActivity({
  operation: 'verify_otp',
  summary: 'Verify a one-time code, and get a verification token',
  forms: form('ACTIVITY_TYPE_VERIFY_OTP', plain, {
    key: 'verifyOtpResult',
    shape: object({ verificationToken: text({ max: 4_096 }) }),
  }).next('ACTIVITY_TYPE_VERIFY_OTP_V2', newest, {
    up: ({ otpCode, publicKey, ...rest }) => ({
      ...rest,
      plain: { otpCode, ...(publicKey === undefined ? {} : { publicKey }) },
    }),
    by: 'encryptedOtpBundle',
  }),
  resource: 'OTP',
  action: 'VERIFY',
  authority: { kind: 'policies' },
  amends: false,
  logsIn: true,
  personal: { of: 'contact' },
  fails: [invalidOtpCode, otpVersionsMixed, invalidSessionKey, bundleNotRead, bundleNotOpened],
  example: {
    intent: {
      otpId: '0198c5a0-7d3c-7000-8000-000000000001',
      encryptedOtpBundle: '{"encappedPublic":"040b…7b","ciphertext":"f1d8…fb"}',
      expirationSeconds: '3600',
    },
    result: { verificationToken: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJleHAi…In0.MEUC…Zw' },
  },
  // A token that is bound to a key is useless without that key.
  withoutBearer: ({ verificationToken: token }) => ({
    verificationToken:
      peekVerificationToken(token)?.publicKey === undefined ? withoutSignature(token) : token,
  }),
  validate: (intent) => {
    keyOf(intent.plain?.publicKey)
  },
  needs: ({ otpId }) => ({ contact: contactOfCode(otpId) }),

  execute({ intent, charter: { organizationId }, rows, now, newId, service }) {
    const { otpId } = intent
    const live = liveCode(rows.contact, { otpId, kind: 'verification', now })
    const { otpCode, publicKey } = givenWith(intent, live)
    const { isRight, left } = tryCode(live, otpCode, now)
    if (!isRight) return { failure: invalidOtpCode(), ...left }
    const seconds = Number(intent.expirationSeconds ?? TOKEN_SECONDS_DEFAULT)
    const token = {
      id: newId(),
      organizationId,
      verificationType: live.row.body.otpType,
      contact: live.code.contact,
      ...(publicKey === undefined ? {} : { publicKey }),
      expiresAt: now + seconds * 1000,
    }
    return { result: { verificationToken: signVerificationToken(token, service.tokenSigner) }, ...left }
  },
})

/** The given code in the clear. A bundle that does not open does not count as a try, since it contains no code. */
function givenWith(
  { encryptedOtpBundle, plain: sent }: VerifyOtp,
  { row, code }: LiveCode<'verification'>,
): { readonly otpCode: string; readonly publicKey?: string } {
  if (encryptedOtpBundle === undefined) {
    if (code.use.form === 'encrypted') throw otpVersionsMixed({ wanted: 'encryptedOtpBundle' })
    const publicKey = keyOf(sent?.publicKey)
    return { otpCode: sent?.otpCode ?? '', ...(publicKey === undefined ? {} : { publicKey }) }
  }
  if (code.use.form === 'plain') throw otpVersionsMixed({ wanted: 'otpCode' })
  const target = otpTargetSecret(row.secret.reveal(), code.otpId)
  try {
    return readOtpPlaintext(openClientBundle(encryptedOtpBundle, target))
  } finally {
    target.fill(0)
  }
}

/** The key to bind the token to, in the form of tokens; undefined for none. */
function keyOf(publicKey: string | undefined): string | undefined {
  if (publicKey === undefined) return undefined
  const key = readP256Key(publicKey)
  if (key === undefined) throw invalidSessionKey({ publicKey })
  return key.compressed
}
