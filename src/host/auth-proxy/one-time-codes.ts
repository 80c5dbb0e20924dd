import { oneOf, object, optional, text, uuid } from '../../trusted/catalogue/shape.ts'
import { checkAllowed, otpAllowance } from './allowances.ts'
import { answeredText, endpoint, handedOn, type Proxied } from './proxied.ts'

const initBody = object({
  otpType: oneOf(['OTP_TYPE_EMAIL', 'OTP_TYPE_SMS']),
  contact: text({ max: 1024 }),
  emailCustomization: optional(object({ templateId: optional(text({ max: 255 })) })),
})

/** The client sends the code back unchanged; `otpEncryptionTargetBundle` belongs to the second version. */
export const otpInit = endpoint(
  {
    summary: 'Send a one-time code, which is sent back as plain text',
    body: initBody,
    answer: object({ otpId: uuid }),
  },
  async (body, proxied) => {
    const { appName } = proxied.config
    const { emailCustomization, ...request } = await initiation(body, proxied)
    const { otpId } = await proxied.member.submit('ACTIVITY_TYPE_INIT_OTP', {
      ...request,
      emailCustomization: { ...emailCustomization, appName },
    })
    return { otpId }
  },
)

/** The client sends the code back encrypted to a key of the code. */
export const otpInitV2 = endpoint(
  {
    summary: 'Send a one-time code, which is sent back encrypted',
    body: initBody,
    answer: object({ otpId: uuid, otpEncryptionTargetBundle: answeredText }),
  },
  async (body, proxied) => {
    const { appName } = proxied.config
    const { otpId, otpEncryptionTargetBundle } = await proxied.member.submit('ACTIVITY_TYPE_INIT_OTP_V3', {
      ...(await initiation(body, proxied)),
      appName,
    })
    return { otpId, otpEncryptionTargetBundle }
  },
)

export const otpVerify = endpoint(
  {
    summary: 'Exchange a one-time code for a verification token',
    body: object({
      otpId: text({ max: 64 }),
      otpCode: text({ max: 64 }),
      publicKey: optional(text({ max: 256 })),
    }),
    answer: object({ verificationToken: answeredText }),
  },
  async (body, { member }) => {
    const { verificationToken } = await member.submit('ACTIVITY_TYPE_VERIFY_OTP', body)
    return { verificationToken }
  },
)

export const otpVerifyV2 = endpoint(
  {
    summary: 'Exchange an encrypted one-time code for a verification token',
    body: object({ otpId: text({ max: 64 }), encryptedOtpBundle: handedOn }),
    answer: object({ verificationToken: answeredText }),
  },
  async (body, { member }) => {
    const { verificationToken } = await member.submit('ACTIVITY_TYPE_VERIFY_OTP_V2', body)
    return { verificationToken }
  },
)

async function initiation(
  { otpType, contact, emailCustomization }: ReturnType<typeof initBody.read>,
  { config, askerOf, countCode }: Proxied,
) {
  checkAllowed(config, otpAllowance(otpType))
  await countCode()
  const { length, alphanumeric, expirationSeconds } = config.otp
  return {
    otpType,
    contact,
    otpLength: length,
    alphanumeric,
    expirationSeconds: String(expirationSeconds),
    userIdentifier: askerOf(contact),
    ...(otpType === 'OTP_TYPE_EMAIL' ? config.sender : {}),
    emailCustomization,
  }
}
