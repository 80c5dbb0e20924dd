import { defineQuery, type WebhookDelivery } from '../../../trusted/catalogue/query.ts'
import {
  int32,
  list,
  named,
  object,
  oneOf,
  optional,
  organizationIdText,
  refined,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { WEBHOOK_FEATURE } from '../../../trusted/charter/directory.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { knownWebhookEndpoint } from '../../../trusted/charter/webhooks.ts'
import { limitOf, limitText } from '../page.ts'
import { timestampShape } from '../shapes.ts'

const delivery = named(
  'WebhookDelivery',
  object({
    deliveryId: text({ max: 16 }),
    organizationId: uuid,
    activityId: uuid,
    revision: int32,
    attempts: int32,
    createdAt: timestampShape,
    failure: optional(text({ max: 512 })),
  }),
)

const deliveryId = refined(text({ max: 15 }), {
  problem: (value) => (/^\d+$/.test(value) ? undefined : 'must be the ID of a delivery, which is digits'),
  schema: { pattern: '^[0-9]+$' },
})

/** Completed deliveries are not stored. Waiting deliveries are sent in order, one at a time for each endpoint. */
export const listWebhookDeliveries = defineQuery({
  operation: 'list_webhook_deliveries',
  ours: true,
  summary: 'List the waiting deliveries of a webhook endpoint, or the failed ones',
  request: object({
    organizationId: organizationIdText,
    endpointId: text({ min: 1, max: 64 }),
    state: optional(oneOf(['WAITING', 'DEAD'])),
    limit: optional(limitText),
    after: optional(deliveryId),
  }),
  response: object({
    deliveries: list(delivery, { max: 100 }),
    nextAttemptAt: optional(timestampShape),
    next: optional(text({ max: 16 })),
  }),
  example: { endpointId: '0198c5a0-7d3c-7000-8000-000000000001', state: 'WAITING' },
  answer: async ({ endpointId, state = 'WAITING', limit, after }, { charter, webhookJobs }) => {
    if (endpointId !== WEBHOOK_FEATURE) knownWebhookEndpoint(charter, endpointId)
    const max = limitOf(limit)
    const page = { limit: max, ...(after === undefined ? {} : { after: Number(after) }) }
    const { jobs, dueAt } = await webhookJobs(endpointId, state === 'DEAD' ? 'dead' : 'waiting', page)
    const last = jobs.at(-1)
    return {
      deliveries: jobs.map(deliveryView),
      ...(dueAt === undefined ? {} : { nextAttemptAt: timestamp(dueAt) }),
      ...(last === undefined || jobs.length < max ? {} : { next: String(last.sequence) }),
    }
  },
})

function deliveryView({ sequence, createdAt, failure, ...rest }: WebhookDelivery) {
  return {
    deliveryId: String(sequence),
    ...rest,
    createdAt: timestamp(createdAt),
    ...(failure === null ? {} : { failure }),
  }
}
