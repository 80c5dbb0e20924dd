import { isUuid } from '../../base/ids.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import {
  boolean,
  object,
  optional,
  refined,
  type Shape,
  shown,
  text,
  type TypeOf,
} from '../../catalogue/shape.ts'
import { featureDisabled } from '../../charter/features.ts'
import { holderOfContact, withProvenContact } from '../../charter/holders.ts'
import { clientSignatureInvalid } from '../../crypto/client-signature.ts'
import { peekVerificationToken } from '../../crypto/verification-token.ts'
import { expirationSecondsText, invalidApiKeyExpiration } from '../credentials/expiration-seconds.ts'
import { chartersAsked } from '../sessions/charters-asked.ts'
import { loginFacts } from '../sessions/login-params.ts'
import {
  checkSessionKey,
  session,
  sessionFailures,
  withoutSession,
  withSession,
} from '../sessions/session-key.ts'
import { clientSignatureParams, verificationTokenText } from './client-signature-params.ts'
import { requireOtpFeature } from '../../objects/contact-type.ts'
import { contactNotFound } from './failures.ts'
import { presentedToken, presentedTokenFailures } from './presented-token.ts'
import { signedUsage } from './signed-usage.ts'
import { useOf, useToken, verificationTokenUsed } from '../../objects/used-token.ts'

const login = {
  verificationToken: verificationTokenText,
  publicKey: text({ min: 1, max: 256 }),
  expirationSeconds: optional(expirationSecondsText),
  invalidateExisting: optional(boolean),
  sessionProfileId: optional(
    refined(text({ max: 64 }), {
      problem: (value) =>
        value === '' || isUuid(value) ? undefined : `must be a UUID in lowercase, not ${shown(value)}`,
    }),
  ),
}
const unsigned = object({ ...login, clientSignature: optional(clientSignatureParams) })
const signed = object({ ...login, clientSignature: clientSignatureParams })

/** As in the first version: a signature only where the token needs one, which `signedUsage` checks. */
const newest: Shape<TypeOf<typeof unsigned>> = signed

export const otpLogin = defineActivity({
  operation: 'otp_login',
  summary: 'Log in with a verification token, and open a session for a key of the client',
  forms: form('ACTIVITY_TYPE_OTP_LOGIN', unsigned, {
    key: 'otpLoginResult',
    shape: object({ session }),
  }).next('ACTIVITY_TYPE_OTP_LOGIN_V2', newest, { up: (older) => older }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
  parentMay: true,
  looksAtParent: true,
  fails: [
    ...presentedTokenFailures,
    featureDisabled,
    contactNotFound,
    clientSignatureInvalid,
    verificationTokenUsed,
    invalidApiKeyExpiration,
    ...sessionFailures,
  ],
  example: {
    intent: {
      verificationToken: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJleHAi…In0.MEUC…Zw',
      publicKey: '03b8b18b1d4f8f3b8d6c0c9bd0ee3b0c6a1a9ff0d8ff6ad6cbb6a3f1c27dc61b3f',
      clientSignature: {
        publicKey: '02aa0c3f3f8b9c5f1d8b5f3a6fd1c6e2b7c1bd1ad5a8b3d02e3b1b1bdc2e0c1e77',
        scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
        message:
          '{"login":{"publicKey":"03b8…3f"},"tokenId":"0198c5a0-7d3c-7000-8000-000000000001","type":"USAGE_TYPE_LOGIN"}',
        signature: '5f0c…91',
      },
      expirationSeconds: '900',
    },
    result: { session: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAi…In0.q83v…Ew' },
  },
  withoutBearer: withoutSession,
  params: loginFacts,
  validate: (intent) => checkSessionKey(intent),
  needs: ({ verificationToken }) => ({ used: useOf('LOGIN', peekVerificationToken(verificationToken)?.id) }),
  verify: async (intent, means) => {
    const token = await presentedToken(intent.verificationToken, means)
    const usage = await signedUsage(token, intent.clientSignature, 'login')
    if (usage !== undefined && usage.publicKey.toLowerCase() !== intent.publicKey.toLowerCase())
      throw clientSignatureInvalid({ why: 'the message is about another publicKey' })
    return token
  },

  async execute({
    intent,
    charter,
    parent,
    rows,
    verified: token,
    requester,
    now,
    newId,
    randomBytes,
    service,
    work,
  }) {
    const { organizationId } = charter
    requireOtpFeature(token.verificationType, chartersAsked({ charter, parent, requester }))
    const use = useToken(
      rows.used,
      { tokenId: token.id, purpose: 'LOGIN', expiresAt: token.expiresAt },
      randomBytes,
    )
    const holder = holderOfContact(charter.users, token)
    if (holder === undefined) throw contactNotFound({ contact: token.contact, organizationId })
    const user = withProvenContact(holder, token)
    const opened = await work.through(withSession({ charter, parent, user, intent, now, newId, service }))
    return { result: { session: opened.session }, charter: opened.charter, put: [use] }
  },
})
