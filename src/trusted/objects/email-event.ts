import { hash } from 'node:crypto'
import { lowerAscii } from '../base/lower-ascii.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import type { EmailMessage } from '../catalogue/message.ts'
import { claimsNothing, type LookupKey, type ObjectKind, type Placed, place } from '../catalogue/objects.ts'

/** That a mail was handed over to be sent, in the unit of the activity that wanted it. */
export type EmailEvent = {
  /** Of the job, and of the mail: its `Message-ID` begins with it. */
  readonly jobId: string
  readonly to: string
  /** What the activity asked for; absent for the operator's own sender. */
  readonly from?: string
  readonly at: Ms
}

/** Of a mail and of a text message. */
export const EVENT_KEPT_MS: Ms = 30 * 24 * 60 * 60 * 1000

export const emailEvents: ObjectKind<EmailEvent> = {
  kind: 'email_event',
  ...claimsNothing('an email event'),
  entries: ({ to }) => [mailsTo(to)],
  expiresAt: ({ at }) => at + EVENT_KEPT_MS,
  // Only a body that the vault has sealed is parsed, and it sealed no other shape.
  parse: (body) => JSON.parse(body) as EmailEvent,
}

/** Hashed, so that it is of one length and of characters that every store takes; addresses are one whatever the case of their letters. */
export function mailsTo(address: string): LookupKey {
  return { kind: 'MAIL_TO', value: hash('sha256', lowerAscii(address), 'hex') }
}

export function placeEmailEvent({ to, sender }: EmailMessage, jobId: string, at: Ms): Placed {
  const { fromAddress: from } = sender
  return place(emailEvents, jobId, { jobId, to, ...(from === undefined ? {} : { from }), at }, NO_SECRET)
}

const NO_SECRET = new Secret(new Uint8Array(0))
