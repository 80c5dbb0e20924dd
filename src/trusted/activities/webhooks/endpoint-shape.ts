import { jsonIn } from '../../base/json-in.ts'
import { boolean, label, list, object, oneOf, optional, refined, text, uuid } from '../../catalogue/shape.ts'
import { WEBHOOK_EVENT_TYPES } from '../../charter/charter.ts'

const URL_CHARACTERS_MAX = 2048
const FILTERS_CHARACTERS_MAX = 4096
const SUBSCRIPTIONS_MAX = 10

export const webhookUrl = text({ min: 1, max: URL_CHARACTERS_MAX })
export const webhookName = label

/** Filters are stored and shown, but have no effect, as in the published interface. */
const filtersJson = refined(text({ max: FILTERS_CHARACTERS_MAX }), {
  problem: (value) => (value === '' || jsonIn(value) !== undefined ? undefined : 'must be JSON text'),
})

const subscription = object({
  eventType: oneOf(WEBHOOK_EVENT_TYPES),
  filtersJson: optional(filtersJson),
  isActive: optional(boolean),
})

export const subscriptions = list(subscription, { max: SUBSCRIPTIONS_MAX })

export const webhookEndpointShape = object({
  endpointId: uuid,
  organizationId: uuid,
  url: webhookUrl,
  name: webhookName,
  isActive: boolean,
  subscriptions,
})
