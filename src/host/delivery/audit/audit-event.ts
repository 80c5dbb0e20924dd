import { isUuid } from '../../../trusted/base/ids.ts'
import { jsonIn } from '../../../trusted/base/json-in.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { recordAt } from '../../../trusted/vault/records/record-at.ts'
import { votedAt, votesOf } from '../../../trusted/vault/records/votes.ts'
import { instantText } from '../instant-text.ts'

/**
 * One line of the audit stream. Every text in it is an id, a fixed word or a time: names and other texts of senders
 * cannot occur in it. `docs/reference/audit-event.schema.json` defines the same.
 */
export type AuditEvent =
  | ActivityEvent
  | ReadEvent
  /** The record is missing, or is not as the vault has sealed it. */
  | (Head & { readonly event: 'unreadable' })
  /** Earlier events, back to the last line, may be missing from the stream. */
  | (Head & { readonly event: 'gap' })

/** `id` is the same in every repetition of the event. */
type Head = { readonly version: 1; readonly id: string; readonly time: string }

type ActivityEvent = Head & {
  readonly event: 'activity'
  readonly organizationId: string
  readonly activityId: string
  readonly revision: number
  readonly type: string
  readonly status: string
  readonly fingerprint: string
  readonly votes: readonly { readonly userId: string; readonly selection: string; readonly time: string }[]
  /** The kind of the failure. */
  readonly code?: number
}

type ReadEvent = Head & {
  readonly event: 'read'
  readonly organizationId: string
  readonly operation: string
  readonly userId: string
}

/** @param row  a row that the vault has verified */
export function activityEvent(row: ActivityRow, revision: number): AuditEvent {
  const { organizationId, activityId, type, status, fingerprint, updatedAt, votes, failure } = recordAt(
    row,
    revision,
  )
  const code = failure === null ? undefined : Number(JSON.parse(failure).code)
  return {
    version: 1,
    id: `${activityId}-${revision}`,
    time: timeText(updatedAt),
    event: 'activity',
    organizationId,
    activityId,
    revision,
    type,
    status,
    fingerprint,
    votes: votesOf(votes).map((vote) => ({
      userId: vote.userId,
      selection: vote.selection,
      time: timeText(votedAt(vote)),
    })),
    ...(code === undefined ? {} : { code }),
  }
}

export function readEvent(
  read: { readonly id: string; readonly at: Ms } & Pick<ReadEvent, 'organizationId' | 'operation' | 'userId'>,
): AuditEvent {
  const { id, at, organizationId, operation, userId } = read
  return { version: 1, id, time: timeText(at), event: 'read', organizationId, operation, userId }
}

/** @param event  `unreadable` names the job whose record cannot be reported */
export function plainEvent(event: 'gap' | 'unreadable', id: string, at: Ms): AuditEvent {
  return { version: 1, id, time: timeText(at), event }
}

/** An event from the outbox itself; undefined if this service does not write such an event. */
export function eventIn(text: string): AuditEvent | undefined {
  const fields: Readonly<Record<string, unknown>> = Object(jsonIn(text))
  const { id, time, event, organizationId, operation, userId } = fields
  const at = Date.parse(String(time))
  if (typeof id !== 'string' || !isUuid(id) || !Number.isSafeInteger(at)) return undefined
  if (event === 'gap') return plainEvent('gap', id, at)
  if (event !== 'read' || typeof operation !== 'string' || !/^[a-z0-9_]{1,100}$/.test(operation))
    return undefined
  if (typeof organizationId !== 'string' || !isUuid(organizationId)) return undefined
  if (typeof userId !== 'string' || !isUuid(userId)) return undefined
  return readEvent({ id, at, organizationId, operation, userId })
}

function timeText(at: Ms): string {
  return instantText(at) ?? BEGINNING
}

const BEGINNING = '1970-01-01T00:00:00.000Z'
