import { present } from '../../../trusted/base/assert.ts'
import { magicLink } from '../../../trusted/catalogue/magic-link.ts'
import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter, Part } from './letter.ts'
import { letterOf, paragraph, untilWhen } from './wording.ts'

/** The bundle to copy, or a link with the bundle. Only the browser that asked can open it. */
export function emailAuthMail(message: EmailMessage): Letter {
  const bundle = present(message.bundle, 'the bundle of a mail about a login')
  const url = magicLink(message.customization.magicLinkTemplate, bundle)
  const way: Part =
    url === undefined ? { kind: 'copy', text: bundle } : { kind: 'link', label: 'Log in', url }
  return letterOf(message, {
    subject: '{{appName}}: log in',
    parts: [
      paragraph(
        url === undefined
          ? `Copy this login code to {{appName}}. It works${untilWhen(message.expiresAt)}, only where you asked for it.`
          : `Open this link to log in to {{appName}}. It works${untilWhen(message.expiresAt)}, only where you asked for it.`,
      ),
      way,
      paragraph('If you did not ask for it, there is nothing to do.'),
    ],
  })
}
