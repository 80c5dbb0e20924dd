import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, type Shape, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { type Charter, featureOf, isRoot } from '../../charter/charter.ts'
import { requireFeature } from '../../charter/features.ts'
import { emailAuthCustomizationParams } from '../messages/customization.ts'
import { chartersAsked } from '../sessions/charters-asked.ts'
import {
  checkMailedKey,
  mailedKey,
  mailedKeyExample,
  mailedKeyParams,
  mailingOfKey,
} from '../sessions/mailed-key.ts'
import { userByEmail } from '../sessions/user-by-email.ts'

const intentV1 = object(mailedKeyParams)
// In the newer form the name of the application is required; in the older one it is optional.
const intent: Shape<TypeOf<typeof intentV1>> = object({
  ...mailedKeyParams,
  emailCustomization: emailAuthCustomizationParams,
})

/** Only the newest recovery of a user works: after two requests, the credential in the later mail is valid. */
export const initUserEmailRecovery = defineActivity({
  operation: 'init_user_email_recovery',
  summary: 'Send a user a credential by e-mail that can only register a new passkey',
  forms: form('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY', intentV1, {
    key: 'initUserEmailRecoveryResult',
    shape: object({ userId: uuid }),
  }).next('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', intent, { up: (same) => same }),
  resource: 'RECOVERY',
  ...mailingOfKey,
  writesTo: ({ email }) => ({ contacts: [email] }),
  example: {
    intent: mailedKeyExample,
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  validate: (wanted) => checkMailedKey(wanted),

  async execute({ intent, ...execution }) {
    const { charter } = execution
    const user = userByEmail(charter, intent.email)
    requireRecovery(isRoot(charter, user.userId), chartersAsked(execution))
    const { apiKeyId: _, ...mailed } = await execution.work.through(
      mailedKey({
        about: 'recovery',
        user,
        type: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
        kindName: 'Email Recovery',
        intent: { ...intent, invalidateExisting: true },
        execution,
      }),
    )
    return { result: { userId: user.userId }, ...mailed }
  },
})

/** The recovery of root users has an older feature name too. */
function requireRecovery(ofRoot: boolean, charters: readonly (Charter | undefined)[]): void {
  for (const charter of charters) {
    if (charter === undefined) continue
    const isOnForRoots = featureOf(charter, 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY') !== undefined
    if (!(ofRoot && isOnForRoots)) requireFeature('FEATURE_NAME_EMAIL_RECOVERY', [charter])
  }
}
