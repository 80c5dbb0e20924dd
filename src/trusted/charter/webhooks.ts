import { defineFailure, INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED } from '../base/failure.ts'
import { checkTarget, type TargetRules } from '../base/public-address.ts'
import type { Charter, WebhookEndpoint } from './charter.ts'
import { limits, tooMany } from './limits.ts'
import { placed } from './placed.ts'

export const webhookEndpointNotFound = defineFailure<{
  readonly endpointId: string
  readonly organizationId: string
}>({
  kind: 'webhookEndpointNotFound',
  code: NOT_FOUND,
  say: ({ endpointId, organizationId }) =>
    `unable to find webhook endpoint ${endpointId} in organization ${organizationId}`,
})

const webhookEndpointNameTaken = defineFailure<{ readonly name: string }>({
  kind: 'webhookEndpointNameTaken',
  code: INVALID_ARGUMENT,
  say: ({ name }) =>
    `webhook endpoint label must be unique: there is a webhook endpoint named ${JSON.stringify(name)} already`,
})

const invalidWebhookUrl = defineFailure<{ readonly url: string; readonly because: string }>({
  kind: 'invalidWebhookUrl',
  code: INVALID_ARGUMENT,
  say: ({ url, because }) => `invalid webhook url: ${JSON.stringify(url.slice(0, 100))} ${because}`,
})

const eventTypeOfParent = defineFailure<{ readonly eventType: string }>({
  kind: 'eventTypeOfParent',
  code: PERMISSION_DENIED,
  errorCode: 'FORBIDDEN',
  say: ({ eventType }) =>
    `webhook events of type ${eventType} can only be subscribed to by the parent organization`,
})

export const webhookFailures = [
  webhookEndpointNotFound,
  webhookEndpointNameTaken,
  invalidWebhookUrl,
  eventTypeOfParent,
  tooMany,
]

/**
 * The rules for checks before anyone is asked for approval: they refuse only addresses that no service accepts. Whether
 * this service sends to an address is checked when the activity is carried out.
 */
export const ANY_SERVICE: TargetRules = { allowPrivate: true }

/**
 * The mistake in the URL of a webhook, to follow the quoted URL. The addresses of its host are checked at each
 * delivery.
 */
export function webhookUrlProblem(url: string, rules: TargetRules): string | undefined {
  const target = checkTarget(url, rules)
  if (target.kind === 'refused') return target.because
  // It would never be sent.
  return url.includes('#') ? 'has a fragment' : undefined
}

export function checkWebhookUrl(url: string, rules: TargetRules): void {
  const because = webhookUrlProblem(url, rules)
  if (because !== undefined) throw invalidWebhookUrl({ url, because })
}

export function knownWebhookEndpoint(charter: Charter, endpointId: string): WebhookEndpoint {
  const { organizationId, webhookEndpoints } = charter
  const endpoint = webhookEndpoints.find((webhookEndpoint) => webhookEndpoint.endpointId === endpointId)
  if (endpoint === undefined) throw webhookEndpointNotFound({ endpointId, organizationId })
  return endpoint
}

/** The charter with this endpoint added, or in the place of the one with its id. */
export function withWebhookEndpoint(charter: Charter, endpoint: WebhookEndpoint): Charter {
  const { endpointId, name, subscriptions } = endpoint
  const webhookEndpoints = placed(
    charter.webhookEndpoints,
    endpoint,
    (other) => other.endpointId === endpointId,
  )
  if (webhookEndpoints.some((other) => other !== endpoint && other.name === name))
    throw webhookEndpointNameTaken({ name })
  if (webhookEndpoints.length > limits.webhookEndpoints)
    throw tooMany({ what: 'webhook endpoints', max: limits.webhookEndpoints })
  const foreign = subscriptions.find(({ eventType }) => eventType !== 'ACTIVITY_UPDATES')
  if (charter.parentId !== null && foreign !== undefined) throw eventTypeOfParent(foreign)
  return { ...charter, webhookEndpoints }
}

export function withoutWebhookEndpoint(charter: Charter, endpointId: string): Charter {
  const gone = knownWebhookEndpoint(charter, endpointId)
  return {
    ...charter,
    webhookEndpoints: charter.webhookEndpoints.filter((webhookEndpoint) => webhookEndpoint !== gone),
  }
}
