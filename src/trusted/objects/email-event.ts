import { hash } from 'node:crypto'
import { lowerAscii } from '../base/lower-ascii.ts'
import type { Ms } from '../base/world.ts'
import type { EmailMessage } from '../catalogue/message.ts'
import { defineKind, type LookupKey, place, type Placed } from '../catalogue/objects.ts'

/** The record that a mail was queued for sending, in the unit of the activity that requested it. */
export type EmailEvent = {
  /** Of the job, and of the mail: its `Message-ID` begins with it. */
  readonly jobId: string
  readonly to: string
  /** The sender that the activity asked for; absent for the operator's own sender. */
  readonly from?: string
  readonly at: Ms
}

/** For mails and text messages. */
export const EVENT_KEPT_MS: Ms = 30 * 24 * 60 * 60 * 1000

export const emailEvents = defineKind<EmailEvent>({
  kind: 'email_event',
  entries: ({ to }) => [mailsTo(to)],
  expiresAt: ({ at }) => at + EVENT_KEPT_MS,
})

/**
 * Hashed, for a fixed length and characters that every store accepts; addresses are compared without regard to case.
 */
export function mailsTo(address: string): LookupKey {
  return { kind: 'MAIL_TO', value: hash('sha256', lowerAscii(address), 'hex') }
}

export function placeEmailEvent({ to, sender }: EmailMessage, jobId: string, at: Ms): Placed {
  const { fromAddress: from } = sender
  return place(emailEvents, jobId, { jobId, to, ...(from === undefined ? {} : { from }), at })
}
