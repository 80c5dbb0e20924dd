import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, type Shape, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { featureDisabled, requireFeature } from '../../charter/features.ts'
import { emailAuthCustomizationParams } from '../messages/customization.ts'
import { bundleParams, invalidateParam } from './bundle-params.ts'
import { withBundledKey } from './bundled-key.ts'
import { bundleMail, checkMailedKey, mailedKeyFailures, mailedKeyParams } from './mailed-key.ts'
import { userByEmail } from './user-by-email.ts'

const older = { ...mailedKeyParams, apiKeyName: bundleParams.apiKeyName, ...invalidateParam }
const intentV1 = object(older)
const intentV2 = object(older)
// In the newest form the name of the application has to be given; what is older may do without.
const intent: Shape<TypeOf<typeof intentV2>> = object({
  ...older,
  emailCustomization: emailAuthCustomizationParams,
})

/** The credential goes by mail to its user, encrypted to the target key; whoever asked for it learns no more than its id. */
export const emailAuth = defineActivity({
  operation: 'email_auth',
  summary: 'Mail a user a credential that expires',
  forms: form('ACTIVITY_TYPE_EMAIL_AUTH', intentV1, {
    key: 'emailAuthResult',
    shape: object({ userId: uuid, apiKeyId: uuid }),
  })
    .next('ACTIVITY_TYPE_EMAIL_AUTH_V2', intentV2, { up: (same) => same })
    .next('ACTIVITY_TYPE_EMAIL_AUTH_V3', intent, { up: (same) => same }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  parentMay: true,
  looksAtParent: true,
  writesTo: ({ email }) => ({ contacts: [email] }),
  fails: [...mailedKeyFailures, featureDisabled],
  example: {
    intent: {
      email: 'ada@example.com',
      targetPublicKey:
        '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
      expirationSeconds: '900',
      emailCustomization: { appName: 'Shop' },
    },
    result: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      apiKeyId: '0198c5a0-7d3c-7000-8000-000000000004',
    },
  },
  validate: (wanted) => checkMailedKey(wanted),

  execute({ intent: wanted, charter, parent, requester, now, newId, randomBytes }) {
    const isByParent = requester.organizationId !== charter.organizationId
    requireFeature('FEATURE_NAME_EMAIL_AUTH', [charter, isByParent ? parent : undefined])
    const user = userByEmail(charter, wanted.email)
    const made = withBundledKey({
      charter,
      user,
      type: 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256',
      kindName: 'Email Auth',
      intent: wanted,
      now,
      newId,
      randomBytes,
    })
    return {
      result: { userId: user.userId, apiKeyId: made.apiKeyId },
      charter: made.charter,
      messages: [bundleMail({ about: 'emailAuth', to: user.userEmail, charter, intent: wanted, made })],
    }
  },
})
