import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import { webhookEndpointView } from '../../charter/view.ts'
import { ANY_SERVICE, checkWebhookUrl, webhookFailures, withWebhookEndpoint } from '../../charter/webhooks.ts'
import { subscriptions, webhookEndpointShape, webhookName, webhookUrl } from './endpoint-shape.ts'

const intent = object({ url: webhookUrl, name: webhookName, subscriptions: optional(subscriptions) })

/** An endpoint without a subscription gets no events. */
export const createWebhookEndpoint = defineActivity({
  operation: 'create_webhook_endpoint',
  summary:
    'Create a webhook endpoint: a URL that receives events about activities of the organization and its sub-organizations',
  forms: form('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', intent, {
    key: 'createWebhookEndpointResult',
    shape: object({ endpointId: uuid, webhookEndpoint: webhookEndpointShape }),
  }),
  resource: 'WEBHOOK_ENDPOINT',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: webhookFailures,
  example: {
    intent: {
      url: 'https://example.com/hooks',
      name: 'Ledger',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
    },
    result: {
      endpointId: '0198c5a0-7d3c-7000-8000-000000000001',
      webhookEndpoint: {
        endpointId: '0198c5a0-7d3c-7000-8000-000000000001',
        organizationId: '0198c5a0-7d3c-7000-8000-000000000002',
        url: 'https://example.com/hooks',
        name: 'Ledger',
        isActive: true,
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES', isActive: true }],
      },
    },
  },
  validate: ({ url }) => checkWebhookUrl(url, ANY_SERVICE),

  execute({ intent: { url, name, subscriptions: wanted = [] }, charter, service, now, newId }) {
    checkWebhookUrl(url, service.targets)
    const endpoint = {
      endpointId: newId(),
      url,
      name,
      isActive: true,
      subscriptions: wanted.map((item) => ({ ...item, isActive: item.isActive ?? true })),
      createdAt: now,
      updatedAt: now,
    }
    const { endpointId } = endpoint
    return {
      result: { endpointId, webhookEndpoint: webhookEndpointView(charter.organizationId, endpoint) },
      charter: withWebhookEndpoint(charter, endpoint),
    }
  },
})
