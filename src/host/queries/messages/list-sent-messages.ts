import { LAST_ID } from '../../../trusted/base/ids.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  list,
  named,
  object,
  oneOf,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { type EmailEvent, emailEvents } from '../../../trusted/objects/email-event.ts'
import { type TextEvent, textEvents } from '../../../trusted/objects/text-event.ts'
import { limitOf, limitText } from '../page.ts'
import { timestampShape } from '../shapes.ts'

const sentMessage = named(
  'SentMessage',
  object({
    messageId: uuid,
    channel: oneOf(['EMAIL', 'SMS']),
    to: text({ max: 254 }),
    from: optional(text({ max: 254 })),
    sentAt: timestampShape,
  }),
)

/** Without the contents of messages, which may be valid codes. */
export const listSentMessages = defineQuery({
  operation: 'list_sent_messages',
  ours: true,
  summary:
    'List the e-mails and text messages that an organization has sent in the last 30 days, newest first',
  request: object({
    organizationId: organizationIdText,
    limit: optional(limitText),
    after: optional(uuid),
  }),
  response: object({ messages: list(sentMessage, { max: 100 }), next: optional(uuid) }),
  example: { limit: '10' },
  answer: async ({ limit, after = LAST_ID }, { objectsPage }) => {
    const max = limitOf(limit)
    const page = { limit: max, before: after }
    const [mails, texts] = await Promise.all([objectsPage(emailEvents, page), objectsPage(textEvents, page)])
    const messages = [...mails.map(mailView), ...texts.map(textView)]
      .toSorted((a, b) => (a.messageId < b.messageId ? 1 : -1))
      .slice(0, max)
    const last = messages.at(-1)
    return { messages, ...(last === undefined || messages.length < max ? {} : { next: last.messageId }) }
  },
})

function mailView({ jobId, to, from, at }: EmailEvent) {
  const sender = from === undefined ? {} : { from }
  return { messageId: jobId, channel: 'EMAIL' as const, to, ...sender, sentAt: timestamp(at) }
}

function textView({ jobId, to, at }: TextEvent) {
  return { messageId: jobId, channel: 'SMS' as const, to, sentAt: timestamp(at) }
}
