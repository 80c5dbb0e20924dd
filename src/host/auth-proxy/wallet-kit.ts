import { object } from '../../trusted/catalogue/shape.ts'
import { endpoint } from './proxied.ts'

/** What a page shows to choose from, and what it has to know for it. */
export const walletKitConfig = endpoint(object({}), async (_, { config }) => {
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
})

/** The site key of a captcha would stand here; there is none. */
export const walletKitClientParams = endpoint(object({}), async () => ({}))
