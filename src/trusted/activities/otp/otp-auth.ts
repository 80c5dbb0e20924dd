import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { boolean, object, optional, refined, text, uuid } from '../../catalogue/shape.ts'
import { userOf } from '../../charter/charter.ts'
import { featureDisabled } from '../../charter/features.ts'
import { isContactOf, withProvenContact } from '../../charter/holders.ts'
import { readP256Key } from '../../crypto/p256.ts'
import { expirationSecondsText, invalidApiKeyExpiration } from '../credentials/expiration-seconds.ts'
import { bundledKeyFailures, invalidTargetPublicKey, withBundledKey } from '../sessions/bundled-key.ts'
import { chartersAsked } from '../sessions/charters-asked.ts'
import { requireOtpFeature } from '../../objects/contact-type.ts'
import { invalidOtpCode } from './failures.ts'
import { otpCode } from './otp-code.ts'
import { contactOfCode } from '../../objects/otp-contact.ts'
import { liveCode, tryCode } from './try-code.ts'

const TYPE = 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256'

/** Empty for the default name. */
const keyName = refined(text({ max: 255 }), {
  problem: (value) => (/\p{Cc}/u.test(value) ? 'must not contain control characters' : undefined),
})

export const otpAuth = defineActivity({
  operation: 'otp_auth',
  summary: 'Exchange a one-time code for an API key in an encrypted bundle',
  forms: form(
    'ACTIVITY_TYPE_OTP_AUTH',
    object({
      otpId: uuid,
      otpCode,
      targetPublicKey: text({ min: 1, max: 256 }),
      apiKeyName: optional(keyName),
      expirationSeconds: optional(expirationSecondsText),
      invalidateExisting: optional(boolean),
    }),
    {
      key: 'otpAuthResult',
      shape: object({ userId: uuid, apiKeyId: uuid, credentialBundle: text({ max: 1_024 }) }),
    },
  ),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
  parentMay: true,
  looksAtParent: true,
  fails: [featureDisabled, invalidOtpCode, invalidApiKeyExpiration, ...bundledKeyFailures],
  example: {
    intent: {
      otpId: '0198c5a0-7d3c-7000-8000-000000000001',
      otpCode: '482913',
      targetPublicKey:
        '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2',
      expirationSeconds: '900',
    },
    result: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      apiKeyId: '0198c5a0-7d3c-7000-8000-000000000003',
      credentialBundle:
        'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZ',
    },
  },
  // Checked before the code: otherwise a request with an invalid key would reveal a right code without using it up.
  validate: ({ targetPublicKey }) => {
    if (readP256Key(targetPublicKey) === undefined) throw invalidTargetPublicKey({ targetPublicKey })
  },
  needs: ({ otpId }) => ({ contact: contactOfCode(otpId) }),

  async execute({ intent, charter, parent, rows, requester, now, newId, randomBytes, work }) {
    const live = liveCode(rows.contact, { otpId: intent.otpId, kind: 'credential', now })
    const { otpType, contact } = live.row.body
    requireOtpFeature(otpType, chartersAsked({ charter, parent, requester }))
    const proven = { verificationType: otpType, contact }
    const user = userOf(charter, live.code.use.userId)
    // A code for a contact that is no longer the user's is invalid.
    if (user === undefined || !isContactOf(user, proven)) throw invalidOtpCode()
    const { isRight, left } = tryCode(live, intent.otpCode, now)
    if (!isRight) return { failure: invalidOtpCode(), ...left }
    const made = await work.through(
      withBundledKey({
        charter,
        user: withProvenContact(user, proven),
        type: TYPE,
        kindName: 'OTP Auth',
        intent,
        now,
        newId,
        randomBytes,
      }),
    )
    const { apiKeyId, bundle } = made
    return {
      result: { userId: user.userId, apiKeyId, credentialBundle: bundle },
      charter: made.charter,
      ...left,
    }
  },
})
