import { optional, type TypeOf } from '../../catalogue/shape.ts'
import type { EmailMessage } from '../../catalogue/message.ts'
import type { Charter } from '../../charter/charter.ts'
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
import { bundledKeyFailures, checkTargetKey } from './bundled-key.ts'

/** What is said of a key whose bundle goes to the user by mail; for the fields of the older forms of an intent. */
export const mailedKeyParams = {
  email,
  targetPublicKey: bundleParams.targetPublicKey,
  expirationSeconds: bundleParams.expirationSeconds,
  emailCustomization: optional(emailCustomizationParams),
  ...senderParams,
}

export const mailedKeyFailures = [
  ...bundledKeyFailures,
  ...customizationFailures,
  contactNotFound,
  invalidEmail,
]

type Fields = typeof mailedKeyParams
type MailedKeyIntent = { readonly targetPublicKey: string } & {
  readonly [K in Exclude<keyof Fields, 'email' | 'targetPublicKey'>]?: TypeOf<Fields[K]>
}

/** Refuses what can be seen to be wrong with the target or the mail. For `validate`. */
export function checkMailedKey(intent: MailedKeyIntent): void {
  checkTargetKey(intent)
  emailCustomizationOf(intent.emailCustomization)
}

/** The mail that brings the bundle. It is in no answer and no record: whoever asked for it may be someone else. */
export function bundleMail(mailed: {
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
