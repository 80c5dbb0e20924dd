import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter } from './letter.ts'
import { letterOf, paragraph } from './wording.ts'

export function recoveredMail(message: EmailMessage): Letter {
  const at = new Date(message.recoveredAt ?? 0).toISOString()
  return letterOf(message, {
    subject: 'The root key of the service of {{organizationName}} was recovered',
    parts: [
      paragraph(
        `Several people have put the shares of a recovery together and opened the root key of this service, at ${at}. ` +
          'The operator does this when every other way to open the root key is lost.',
      ),
      paragraph(
        'Nothing in {{organizationName}} has changed by it. A holder of the root key can open everything that the service ' +
          'keeps. If your operator did not announce this, ask them who took part, and why.',
      ),
    ],
  })
}
