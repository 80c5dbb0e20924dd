import { LAST_ID } from '../../../trusted/base/ids.ts'
import { type EmailEvent, emailEvents, mailsTo } from '../../../trusted/objects/email-event.ts'
import { defineQuery, type PageRequest } from '../../../trusted/catalogue/query.ts'
import {
  list,
  named,
  object,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { pageOf, paginationShape } from '../page.ts'

const anyText = text({ max: 65_536 })

// Strict clients refuse an event without any of these.
const noDetails = {
  bounceType: '',
  bounceSubType: '',
  diagnosticCode: '',
  deliverySmtpResponse: '',
  deliveryProcessingTimeMillis: '0',
  deliveryDelayType: '',
  complaintFeedbackType: '',
}

const event = named(
  'EmailEvent',
  object({
    id: uuid,
    organizationId: uuid,
    messageId: anyText,
    eventType: anyText,
    fromAddress: anyText,
    toAddress: anyText,
    senderTenant: anyText,
    timestamp: anyText,
    createdAt: anyText,
    details: object({
      bounceType: anyText,
      bounceSubType: anyText,
      diagnosticCode: anyText,
      deliverySmtpResponse: anyText,
      deliveryProcessingTimeMillis: anyText,
      deliveryDelayType: anyText,
      complaintFeedbackType: anyText,
    }),
  }),
)

/** Newest first. The further delivery of a mail is known only to the mail server (docs/decisions/email-events.md). */
export const listEmailEvents = defineQuery({
  operation: 'list_email_events',
  summary:
    'List the e-mails to an address that were passed to a mail server in the last 30 days, newest first',
  request: object({
    organizationId: organizationIdText,
    email: text({ min: 1, max: 254 }),
    eventType: optional(text({ max: 64 })),
    paginationOptions: optional(paginationShape),
  }),
  response: object({ emailEvents: list(event, { max: 100 }) }),
  example: { email: 'ada@example.com' },
  answer: async ({ email, eventType = SEND, paginationOptions }, { found, charter: { organizationId } }) => {
    if (eventType !== SEND) return { emailEvents: [] }
    const events = await found(emailEvents, [mailsTo(email)], backwards(pageOf(paginationOptions)))
    return { emailEvents: events.toReversed().map((emailEvent) => eventView(emailEvent, organizationId)) }
  },
})

const SEND = 'Send'

/** Objects are found in the order of their ids, which is the order of time; here `after` means older entries. */
function backwards({ limit, before: newerThan, after: olderThan }: PageRequest): PageRequest {
  if (newerThan === undefined) return { limit, before: olderThan ?? LAST_ID }
  return { limit, after: newerThan, ...(olderThan === undefined ? {} : { before: olderThan }) }
}

function eventView({ jobId, to, from = '', at }: EmailEvent, organizationId: string) {
  return {
    id: jobId,
    organizationId,
    messageId: jobId,
    eventType: SEND,
    fromAddress: from,
    toAddress: to,
    senderTenant: '',
    timestamp: String(at),
    createdAt: String(at),
    details: noDetails,
  }
}
