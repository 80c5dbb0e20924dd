import { assert } from '../../base/assert.ts'
import type { Ms } from '../../base/world.ts'
import type { ObjectKind, Placed } from '../../catalogue/objects.ts'
import type { ObjectKey, ObjectRow } from '../../catalogue/unit.ts'
import type { State } from './rollback-guard.ts'

/** The vault's own fields in the body of each self-guarded row. */
type Kept = {
  /** Increases with each write. */
  readonly revision: number
  /** Never earlier than in the previous row: the replaced row would be valid until then. */
  readonly keptUntil: Ms
}

/** A clock that is ahead must not remove rows that another host still counts. */
const CLOCKS_APART_MAX_MS = 60 * 60 * 1000

export function selfGuardedKey({ organizationId, kind, objectId }: ObjectKey): string {
  return `${kind} ${objectId} of organization ${organizationId}`
}

/** The state of an opened row; a row from before revisions existed is the first. */
export function selfGuardedState<B>(kind: ObjectKind<B>, body: B, seal: string): State {
  // The vault sealed it, with these two fields or before they existed.
  const { revision = 0, keptUntil } = body as B & Partial<Kept>
  return { revision, seal, until: keptUntil ?? kind.expiresAt?.(body) ?? 0 }
}

/** The time until which an opened row is needed and must not be removed; unlimited where the row does not have it. */
export function missedUntil<B>(kind: ObjectKind<B>, body: B): Ms {
  // The vault sealed it, with this field or before it existed.
  const { keptUntil } = body as B & Partial<Kept>
  return keptUntil ?? kind.expiresAt?.(body) ?? Number.POSITIVE_INFINITY
}

/** The state of a row from `selfGuarded`. */
export function selfGuardedStateIn({ body, seal }: ObjectRow): State {
  // It was just written by the function below.
  const { revision, keptUntil } = JSON.parse(body) as Kept
  return { revision, seal, until: keptUntil }
}

/** The revision of any row whose seal was verified; a row from before revisions existed is the first. */
export function selfGuardedRevision({ body }: ObjectRow): number {
  // The vault sealed it, with a revision or before revisions existed.
  return (JSON.parse(body) as Partial<Kept>).revision ?? 0
}

/** The row that follows an earlier one. */
export function selfGuarded(
  organizationId: string,
  { kind, objectId, body, expiresAt }: Placed,
  earlier: State | undefined,
): Omit<ObjectRow, 'seal'> {
  assert(expiresAt !== null, 'what guards itself is missed by nobody from some time on')
  const kept: Kept = {
    revision: (earlier?.revision ?? 0) + 1,
    keptUntil: Math.max(expiresAt, earlier?.until ?? 0),
  }
  return {
    organizationId,
    kind,
    objectId,
    // An activity placed an object, written as JSON.
    body: JSON.stringify({ ...(JSON.parse(body) as object), ...kept }),
    expiresAt: kept.keptUntil + CLOCKS_APART_MAX_MS,
  }
}
