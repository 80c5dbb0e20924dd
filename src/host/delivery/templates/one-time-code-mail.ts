import { present } from '../../../trusted/base/assert.ts'
import { magicLink } from '../../../trusted/catalogue/magic-link.ts'
import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter, Part } from './letter.ts'
import { letterOf, paragraph, untilWhen } from './wording.ts'

/** The code is only in the body, because subjects appear on locked screens. */
export function oneTimeCodeMail(message: EmailMessage): Letter {
  const code = present(message.code, 'the code of a mail about a code')
  const url = magicLink(message.customization.magicLinkTemplate, code)
  const link: readonly Part[] = url === undefined ? [] : [{ kind: 'link', label: 'Or open this link', url }]
  return letterOf(message, {
    subject: '{{appName}}: your one-time code',
    parts: [
      paragraph(`Use this code to go on with {{appName}}. It works once${untilWhen(message.expiresAt)}.`),
      { kind: 'copy', text: code },
      ...link,
      paragraph('Give it to nobody. If you did not ask for it, there is nothing to do.'),
    ],
  })
}
