import { optional, type TypeOf } from '../../catalogue/shape.ts'
import type { EmailMessage } from '../../catalogue/message.ts'
import type { Charter, User } from '../../charter/charter.ts'
import { featureDisabled } from '../../charter/features.ts'
import type { Steps } from '../../base/work.ts'
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

/** The parameters of a key whose bundle is mailed to the user; for the fields of the older forms of an intent. */
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

/** The common parts of the activities that mail a key. */
export const mailingOfKey = {
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
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

/** Checks the target and the mail. For `validate`. */
export function checkMailedKey(intent: MailedKeyIntent): void {
  checkTargetKey(intent)
  emailCustomizationOf(intent.emailCustomization)
}

/** The key, and the mail that brings its bundle. */
export function* mailedKey(mailed: {
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
}): Steps<{
  readonly apiKeyId: string
  readonly charter: Charter
  readonly messages: readonly EmailMessage[]
}> {
  const { about, user, type, kindName, intent, execution } = mailed
  const { charter, now, newId, randomBytes } = execution
  const made = yield* withBundledKey({ charter, user, type, kindName, intent, now, newId, randomBytes })
  const mail = bundleMail({ about, to: user.userEmail, charter, intent, made })
  return { apiKeyId: made.apiKeyId, charter: made.charter, messages: [mail] }
}

/**
 * The mail with the bundle. The bundle is not part of the answer or the record, because the requester may be another
 * user.
 */
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
