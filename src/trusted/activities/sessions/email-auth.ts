import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, type Shape, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { requireFeature } from '../../charter/features.ts'
import { emailAuthCustomizationParams } from '../messages/customization.ts'
import { bundleParams, invalidateParam } from './bundle-params.ts'
import { chartersAsked } from './charters-asked.ts'
import { checkMailedKey, mailedKey, mailedKeyExample, mailedKeyParams, mailingOfKey } from './mailed-key.ts'
import { userByEmail } from './user-by-email.ts'

const older = { ...mailedKeyParams, apiKeyName: bundleParams.apiKeyName, ...invalidateParam }
const olderIntent = object(older)
// In the newest form the name of the application is required; in older ones it is optional.
const intent: Shape<TypeOf<typeof olderIntent>> = object({
  ...older,
  emailCustomization: emailAuthCustomizationParams,
})

/** The credential is mailed to its user, encrypted to the target key; the requester learns only its id. */
export const emailAuth = defineActivity({
  operation: 'email_auth',
  summary: 'Send a user an API key that expires, in an encrypted bundle by e-mail',
  forms: form('ACTIVITY_TYPE_EMAIL_AUTH', olderIntent, {
    key: 'emailAuthResult',
    shape: object({ userId: uuid, apiKeyId: uuid }),
  })
    .next('ACTIVITY_TYPE_EMAIL_AUTH_V2', olderIntent, { up: (same) => same })
    .next('ACTIVITY_TYPE_EMAIL_AUTH_V3', intent, { up: (same) => same }),
  resource: 'AUTH',
  ...mailingOfKey,
  writesTo: ({ email }) => ({ contacts: [email] }),
  example: {
    intent: mailedKeyExample,
    result: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      apiKeyId: '0198c5a0-7d3c-7000-8000-000000000004',
    },
  },
  validate: (wanted) => checkMailedKey(wanted),

  async execute({ intent, ...execution }) {
    requireFeature('FEATURE_NAME_EMAIL_AUTH', chartersAsked(execution))
    const user = userByEmail(execution.charter, intent.email)
    const { apiKeyId, ...mailed } = await execution.work.through(
      mailedKey({
        about: 'emailAuth',
        user,
        type: 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256',
        kindName: 'Email Auth',
        intent,
        execution,
      }),
    )
    return { result: { userId: user.userId, apiKeyId }, ...mailed }
  },
})
