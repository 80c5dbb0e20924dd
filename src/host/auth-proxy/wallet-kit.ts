import { boolean, list, object, optional, uuid } from '../../trusted/catalogue/shape.ts'
import { answeredText, endpoint, handedOn } from './proxied.ts'

const pageConfig = object({
  enabledProviders: list(answeredText, { max: Number.MAX_SAFE_INTEGER }),
  sessionExpirationSeconds: answeredText,
  organizationId: uuid,
  oauthClientIds: handedOn,
  oauthRedirectUrl: optional(answeredText),
  otpAlphanumeric: boolean,
  otpLength: answeredText,
})

/** The login options for a page, and the data for them. */
export const walletKitConfig = endpoint(
  { summary: 'Read what a page may offer', body: object({}), answer: pageConfig },
  async (_, { config }) => {
    const { allow, oauthClientIds, oauthRedirectUrl, otp, organizationId, sessionExpirationSeconds } = config
    return {
      enabledProviders: [
        ...(allow.oauth ? Object.keys(oauthClientIds) : []),
        ...(allow.otpEmail ? ['email'] : []),
        ...(allow.otpSms ? ['sms'] : []),
        ...(allow.passkey ? ['passkey'] : []),
        ...(allow.wallet ? ['wallet'] : []),
      ],
      sessionExpirationSeconds: String(sessionExpirationSeconds),
      organizationId,
      oauthClientIds,
      ...(oauthRedirectUrl === undefined ? {} : { oauthRedirectUrl }),
      otpAlphanumeric: otp.alphanumeric,
      otpLength: String(otp.length),
    }
  },
)

/** The site key of a captcha would be here; the service has none. */
export const walletKitClientParams = endpoint(
  {
    summary: 'Read the parameters of a client, of which there are none',
    body: object({}),
    answer: object({}),
  },
  async () => ({}),
)
