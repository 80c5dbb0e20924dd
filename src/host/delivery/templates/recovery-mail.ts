import { present } from '../../../trusted/base/assert.ts'
import { magicLink } from '../../../trusted/catalogue/magic-link.ts'
import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter, Part } from './letter.ts'
import { letterOf, paragraph, untilWhen } from './wording.ts'

/** Like a mail for a login, but the link permits its reader to add a passkey, and the letter says so. */
export function recoveryMail(message: EmailMessage): Letter {
  const bundle = present(message.bundle, 'the bundle of a mail about recovery')
  const url = magicLink(message.customization.magicLinkTemplate, bundle)
  const way: Part =
    url === undefined ? { kind: 'copy', text: bundle } : { kind: 'link', label: 'Recover your account', url }
  return letterOf(message, {
    subject: '{{appName}}: recover your account',
    parts: [
      paragraph('Someone asked to recover your account with {{appName}} by adding a new passkey to it.'),
      paragraph(
        url === undefined
          ? `Copy this recovery code to {{appName}}. It works${untilWhen(message.expiresAt)}, only where it was asked for.`
          : `Open this link to go on. It works${untilWhen(message.expiresAt)}, only where it was asked for.`,
      ),
      way,
      paragraph('If it was not you, do not use it, and tell those who run {{appName}}.'),
    ],
  })
}
