import { LAST_ID } from '../../../trusted/base/ids.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  list,
  named,
  object,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { type EmailEvent, emailEvents } from '../../../trusted/objects/email-event.ts'
import { limitOf, limitText } from '../page.ts'
import { timestampShape } from '../shapes.ts'

const sentMessage = named(
  'SentMessage',
  object({
    messageId: uuid,
    to: text({ max: 254 }),
    from: optional(text({ max: 254 })),
    sentAt: timestampShape,
  }),
)

/** Of no message the contents, which may be a code that is still good. */
export const listSentMessages = defineQuery({
  operation: 'list_sent_messages',
  ours: true,
  summary: 'List the e-mails that an organization has sent in the last 30 days, the newest first',
  request: object({
    organizationId: organizationIdText,
    limit: optional(limitText),
    after: optional(uuid),
  }),
  response: object({ messages: list(sentMessage, { max: 100 }), next: optional(uuid) }),
  example: { limit: '10' },
  answer: async ({ limit, after = LAST_ID }, { objectsPage }) => {
    const max = limitOf(limit)
    const events = await objectsPage(emailEvents, { limit: max, before: after })
    const last = events.at(-1)
    return {
      messages: events.map(messageView),
      ...(last === undefined || events.length < max ? {} : { next: last.jobId }),
    }
  },
})

function messageView({ jobId, to, from, at }: EmailEvent) {
  return { messageId: jobId, to, ...(from === undefined ? {} : { from }), sentAt: timestamp(at) }
}
