import { optional, type TypeOf } from '../../catalogue/shape.ts'
import type { EmailMessage } from '../../catalogue/message.ts'
import type { Requester } from '../../catalogue/activity.ts'
import type { Charter, User } from '../../charter/charter.ts'
import { featureDisabled } from '../../charter/features.ts'
import type { Ms } from '../../base/world.ts'
import {
  customizationFailures,
  emailCustomizationOf,
  emailCustomizationParams,
  emailSenderOf,
  senderParams,
} from '../messages/customization.ts'
import { contactNotFound } from '../otp/failures.ts'
import { email, invalidEmail } from '../../catalogue/contacts.ts'
import { bundleParams } from './bundle-params.ts'
import { bundledKeyFailures, checkTargetKey, withBundledKey } from './bundled-key.ts'

/** What is said of a key whose bundle goes to the user by mail; for the fields of the older forms of an intent. */
export const mailedKeyParams = {
  email,
  targetPublicKey: bundleParams.targetPublicKey,
  expirationSeconds: bundleParams.expirationSeconds,
  emailCustomization: optional(emailCustomizationParams),
  ...senderParams,
}

const mailedKeyFailures = [...bundledKeyFailures, ...customizationFailures, contactNotFound, invalidEmail]

type Fields = typeof mailedKeyParams
type MailedKeyIntent = { readonly targetPublicKey: string } & {
  readonly [K in Exclude<keyof Fields, 'email' | 'targetPublicKey'>]?: TypeOf<Fields[K]>
}

/** What every activity that mails a key has in common. */
export const mailingOfKey = {
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  parentMay: true,
  looksAtParent: true,
  fails: [...mailedKeyFailures, featureDisabled],
} as const

/** For the examples of these activities. */
export const mailedKeyExample = {
  email: 'ada@example.com',
  targetPublicKey:
    '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  expirationSeconds: '900',
  emailCustomization: { appName: 'Shop' },
}

/** Refuses what can be seen to be wrong with the target or the mail. For `validate`. */
export function checkMailedKey(intent: MailedKeyIntent): void {
  checkTargetKey(intent)
  emailCustomizationOf(intent.emailCustomization)
}

/** The charters that say whether keys are mailed: that of the organization, and that of the parent where the parent asks. */
export function chartersAsked({
  charter,
  parent,
  requester,
}: {
  readonly charter: Charter
  readonly parent: Charter | undefined
  readonly requester: Requester
}): readonly (Charter | undefined)[] {
  return [charter, requester.organizationId === charter.organizationId ? undefined : parent]
}

/** The key, and the mail that brings its bundle. */
export function mailedKey(mailed: {
  readonly about: 'emailAuth' | 'recovery'
  readonly user: User & { readonly userEmail: string }
  readonly type: Parameters<typeof withBundledKey>[0]['type']
  readonly kindName: string
  readonly intent: Parameters<typeof withBundledKey>[0]['intent'] & MailedKeyIntent
  readonly execution: {
    readonly charter: Charter
    readonly now: Ms
    readonly newId: () => string
    readonly randomBytes: (length: number) => Uint8Array
  }
}): { readonly apiKeyId: string; readonly charter: Charter; readonly messages: readonly EmailMessage[] } {
  const { about, user, type, kindName, intent, execution } = mailed
  const { charter, now, newId, randomBytes } = execution
  const made = withBundledKey({ charter, user, type, kindName, intent, now, newId, randomBytes })
  const mail = bundleMail({ about, to: user.userEmail, charter, intent, made })
  return { apiKeyId: made.apiKeyId, charter: made.charter, messages: [mail] }
}

/** The mail that brings the bundle. It is in no answer and no record: whoever asked for it may be someone else. */
function bundleMail(mailed: {
  readonly about: 'emailAuth' | 'recovery'
  readonly to: string
  readonly charter: Charter
  readonly intent: MailedKeyIntent
  readonly made: { readonly bundle: string; readonly expiresAt: Ms }
}): EmailMessage {
  const { about, to, charter, intent, made } = mailed
  return {
    channel: 'email',
    about,
    to,
    bundle: made.bundle,
    organizationName: charter.organizationName,
    expiresAt: made.expiresAt,
    customization: emailCustomizationOf(intent.emailCustomization),
    sender: emailSenderOf(intent),
  }
}
