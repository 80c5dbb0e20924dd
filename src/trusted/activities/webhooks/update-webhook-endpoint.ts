import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { boolean, list, object, optional, refined, text, uuid } from '../../catalogue/shape.ts'
import { webhookEndpointView } from '../../charter/view.ts'
import {
  ANY_SERVICE,
  checkWebhookUrl,
  knownWebhookEndpoint,
  webhookFailures,
  withWebhookEndpoint,
} from '../../charter/webhooks.ts'
import { string } from '../../policy/types.ts'
import { webhookEndpointShape, webhookName, webhookUrl } from './endpoint-shape.ts'

const REDELIVERED_MAX = 100

const deliveryId = refined(text({ max: 15 }), {
  problem: (value) => (/^\d+$/.test(value) ? undefined : 'must be the ID of a delivery, which is digits'),
  schema: { pattern: '^[0-9]+$' },
})

const intent = object({
  endpointId: uuid,
  url: optional(webhookUrl),
  name: optional(webhookName),
  isActive: optional(boolean),
  redeliver: optional(list(deliveryId, { max: REDELIVERED_MAX })),
})

/**
 * Waiting deliveries go to the URL at the time of sending. Numbers in `redeliver` that are not of a failed delivery of
 * this endpoint are ignored.
 */
export const updateWebhookEndpoint = defineActivity({
  operation: 'update_webhook_endpoint',
  summary:
    'Change the given fields of a webhook endpoint, enable or disable it, or send failed deliveries again',
  forms: form('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', intent, {
    key: 'updateWebhookEndpointResult',
    shape: object({ endpointId: uuid, webhookEndpoint: webhookEndpointShape }),
  }),
  resource: 'WEBHOOK_ENDPOINT',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: webhookFailures,
  example: {
    intent: { endpointId: '0198c5a0-7d3c-7000-8000-000000000001', isActive: false },
    result: {
      endpointId: '0198c5a0-7d3c-7000-8000-000000000001',
      webhookEndpoint: {
        endpointId: '0198c5a0-7d3c-7000-8000-000000000001',
        organizationId: '0198c5a0-7d3c-7000-8000-000000000002',
        url: 'https://example.com/hooks',
        name: 'Ledger',
        isActive: false,
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES', isActive: true }],
      },
    },
  },
  params: {
    types: { endpoint_id: string },
    of: ({ endpointId }) => ({ endpoint_id: endpointId }),
  },
  validate: ({ url }) => {
    if (url !== undefined) checkWebhookUrl(url, ANY_SERVICE)
  },

  execute({ intent: { endpointId, url, name, isActive, redeliver = [] }, charter, service, now }) {
    const known = knownWebhookEndpoint(charter, endpointId)
    if (url !== undefined) checkWebhookUrl(url, service.targets)
    const endpoint = {
      ...known,
      url: url ?? known.url,
      name: name ?? known.name,
      isActive: isActive ?? known.isActive,
      updatedAt: now,
    }
    return {
      result: { endpointId, webhookEndpoint: webhookEndpointView(charter.organizationId, endpoint) },
      charter: withWebhookEndpoint(charter, endpoint),
      ...(redeliver.length === 0
        ? {}
        : { revived: { target: endpointId, sequences: [...new Set(redeliver.map(Number))] } }),
    }
  },
})
