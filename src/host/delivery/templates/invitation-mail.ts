import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter } from './letter.ts'
import { letterOf, paragraph } from './wording.ts'

export function invitationMail(message: EmailMessage): Letter {
  return letterOf(message, {
    subject: '{{appName}}: you are invited to {{organizationName}}',
    parts: [
      paragraph('You are invited to join the organization {{organizationName}} at {{appName}}.'),
      paragraph(
        'The sender of the invitation will tell you where to accept. If you do not know them, there is nothing to do.',
      ),
    ],
  })
}
