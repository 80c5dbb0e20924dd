import { assert } from '../../trusted/base/assert.ts'
import type { ActivityRow, ErrandRow } from '../../trusted/catalogue/unit.ts'
import { messageLane, webhookLane } from './lanes.ts'
import type { Errand, WebhookErrand } from './store.ts'

/** An errand as it is put down: all but what the engine adds (its number) and what changes while it is carried. */
export type NewErrand = {
  readonly lane: string
  readonly kind: Errand['kind']
  readonly createdAt: number
  readonly organizationId: string
  /** Of a message; null for a webhook. */
  readonly errandId: string | null
  readonly seal: string | null
  /** Of a webhook; null for a message. */
  readonly scope: string | null
  readonly target: string | null
  readonly activityId: string | null
  readonly revision: number | null
}

/** An errand as it is read. */
export type ErrandRecord = NewErrand & Pick<Errand, 'sequence' | 'attempts' | 'failure'>

export const newErrandColumns = {
  lane: 'lane',
  kind: 'kind',
  createdAt: 'created_at',
  organizationId: 'organization_id',
  errandId: 'errand_id',
  seal: 'seal',
  scope: 'scope',
  target: 'target',
  activityId: 'activity_id',
  revision: 'revision',
} as const satisfies Record<keyof NewErrand, string>

export const errandColumns = {
  sequence: 'sequence',
  attempts: 'attempts',
  failure: 'failure',
  ...newErrandColumns,
} as const satisfies Record<keyof ErrandRecord, string>

export function messageErrand(row: ErrandRow): NewErrand {
  const { organizationId, errandId, kind, seal, createdAt } = row
  const none = { scope: null, target: null, activityId: null, revision: null }
  return { lane: messageLane(errandId), kind, createdAt, organizationId, errandId, seal, ...none }
}

export function webhookErrand(webhook: WebhookErrand, createdAt: number): NewErrand {
  return { lane: webhookLane(webhook), kind: 'webhook', createdAt, errandId: null, seal: null, ...webhook }
}

/** The webhook that tells one target of an activity as it now is. */
export function webhookOf(
  row: ActivityRow,
  { scope, target }: Pick<WebhookErrand, 'scope' | 'target'>,
): NewErrand {
  const { organizationId, activityId, revision, updatedAt } = row
  return webhookErrand({ scope, target, organizationId, activityId, revision }, updatedAt)
}

/** The values in the order of `newErrandColumns`. */
export function newErrandValues(errand: NewErrand): (string | number | null)[] {
  return [
    errand.lane,
    errand.kind,
    errand.createdAt,
    errand.organizationId,
    errand.errandId,
    errand.seal,
    errand.scope,
    errand.target,
    errand.activityId,
    errand.revision,
  ]
}

export function errandOf(record: ErrandRecord): Errand {
  const { sequence, lane, attempts, createdAt, failure, kind, organizationId } = record
  const head = { sequence, lane, attempts, createdAt, failure }
  if (kind === 'webhook') {
    const { scope, target, activityId, revision } = record
    assert(
      scope !== null && target !== null && activityId !== null && revision !== null,
      'a webhook names its target and the activity',
    )
    return { ...head, kind, webhook: { scope, target, organizationId, activityId, revision } }
  }
  const { errandId, seal } = record
  assert(errandId !== null && seal !== null, 'a message has an id and a seal')
  return { ...head, kind, row: { organizationId, errandId, kind, seal, createdAt } }
}
