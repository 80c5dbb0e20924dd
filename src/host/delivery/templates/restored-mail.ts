import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter } from './letter.ts'
import { letterOf, paragraph } from './wording.ts'

export function restoredMail(message: EmailMessage): Letter {
  const { copiedAt = 0, lostAt = 0 } = message.restored ?? {}
  const [from, to] = [copiedAt, lostAt].map((at) => new Date(at).toISOString())
  return letterOf(message, {
    subject: '{{organizationName}} was restored from a backup',
    parts: [
      paragraph(`The data of this service were lost, and were restored from a backup of ${from}.`),
      paragraph(
        `What was done in {{organizationName}} between then and ${to} may be gone: for example a new user, a deleted ` +
          'user who is there again, a changed policy, an amount that a limit has counted. Look at users, credentials and ' +
          'policies, and do again what is missing.',
      ),
      paragraph(
        'Requests of that time are refused, so that nothing is done twice. Activities that waited for approval can only be ' +
          'rejected: look whether they were carried out, and submit them again.',
      ),
    ],
  })
}
