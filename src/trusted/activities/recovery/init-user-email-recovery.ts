import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, type Shape, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { type Charter, featureOf, isRoot } from '../../charter/charter.ts'
import { featureDisabled, requireFeature } from '../../charter/features.ts'
import { emailAuthCustomizationParams } from '../messages/customization.ts'
import { withBundledKey } from '../sessions/bundled-key.ts'
import { bundleMail, checkMailedKey, mailedKeyFailures, mailedKeyParams } from '../sessions/mailed-key.ts'
import { userByEmail } from '../sessions/user-by-email.ts'

const intentV1 = object(mailedKeyParams)
// In the newer form the name of the application has to be given; the older one may do without.
const intent: Shape<TypeOf<typeof intentV1>> = object({
  ...mailedKeyParams,
  emailCustomization: emailAuthCustomizationParams,
})

/** Only the newest recovery of a user works: whoever asks twice holds two mails, and the later one is the one that is read. */
export const initUserEmailRecovery = defineActivity({
  operation: 'init_user_email_recovery',
  summary: 'Mail a user a credential that can only register a new passkey',
  forms: form('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY', intentV1, {
    key: 'initUserEmailRecoveryResult',
    shape: object({ userId: uuid }),
  }).next('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', intent, { up: (same) => same }),
  resource: 'RECOVERY',
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
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  validate: (wanted) => checkMailedKey(wanted),

  execute({ intent: wanted, charter, parent, requester, now, newId, randomBytes }) {
    const user = userByEmail(charter, wanted.email)
    const isByParent = requester.organizationId !== charter.organizationId
    requireRecovery(isRoot(charter, user.userId), [charter, isByParent ? parent : undefined])
    const made = withBundledKey({
      charter,
      user,
      type: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
      kindName: 'Email Recovery',
      intent: { ...wanted, invalidateExisting: true },
      now,
      newId,
      randomBytes,
    })
    return {
      result: { userId: user.userId },
      charter: made.charter,
      messages: [bundleMail({ about: 'recovery', to: user.userEmail, charter, intent: wanted, made })],
    }
  },
})

/** The recovery of root users goes by an older name too. */
function requireRecovery(ofRoot: boolean, charters: readonly (Charter | undefined)[]): void {
  for (const charter of charters) {
    if (charter === undefined) continue
    const isOnForRoots = featureOf(charter, 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY') !== undefined
    if (!(ofRoot && isOnForRoots)) requireFeature('FEATURE_NAME_EMAIL_RECOVERY', [charter])
  }
}
