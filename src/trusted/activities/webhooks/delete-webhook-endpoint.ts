import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { webhookEndpointNotFound, withoutWebhookEndpoint } from '../../charter/webhooks.ts'
import { string } from '../../policy/types.ts'

const subject = object({ endpointId: uuid })

export const deleteWebhookEndpoint = defineActivity({
  operation: 'delete_webhook_endpoint',
  summary: 'Delete a webhook endpoint',
  forms: form('ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', subject, {
    key: 'deleteWebhookEndpointResult',
    shape: subject,
  }),
  resource: 'WEBHOOK_ENDPOINT',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [webhookEndpointNotFound],
  example: {
    intent: { endpointId: '0198c5a0-7d3c-7000-8000-000000000001' },
    result: { endpointId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  params: {
    types: { endpoint_id: string },
    of: ({ endpointId }) => ({ endpoint_id: endpointId }),
  },

  execute({ intent: { endpointId }, charter }) {
    return { result: { endpointId }, charter: withoutWebhookEndpoint(charter, endpointId) }
  },
})
