import { webhookEndpointShape } from '../../../trusted/activities/webhooks/endpoint-shape.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { webhookEndpointView } from '../../../trusted/charter/view.ts'

export const listWebhookEndpoints = defineQuery({
  operation: 'list_webhook_endpoints',
  summary: 'List the webhook endpoints of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ webhookEndpoints: list(webhookEndpointShape, { max: limits.webhookEndpoints }) }),
  example: {},
  answer: (_, { charter: { organizationId, webhookEndpoints } }) => ({
    webhookEndpoints: webhookEndpoints.map((endpoint) => webhookEndpointView(organizationId, endpoint)),
  }),
})
