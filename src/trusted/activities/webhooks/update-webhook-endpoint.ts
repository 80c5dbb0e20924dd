import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { boolean, object, optional, uuid } from '../../catalogue/shape.ts'
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

const intent = object({
  endpointId: uuid,
  url: optional(webhookUrl),
  name: optional(webhookName),
  isActive: optional(boolean),
})

/** What is to be delivered already goes to wherever the endpoint is when it is sent. */
export const updateWebhookEndpoint = defineActivity({
  operation: 'update_webhook_endpoint',
  summary: 'Change the given fields of a webhook endpoint, or enable or disable it',
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

  execute({ intent: { endpointId, url, name, isActive }, charter, service, now }) {
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
    }
  },
})
