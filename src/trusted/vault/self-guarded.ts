import { assert } from '../base/assert.ts'
import type { Ms } from '../base/world.ts'
import type { ObjectKind, Placed } from '../catalogue/objects.ts'
import type { ObjectKey, ObjectRow } from '../catalogue/unit.ts'
import type { State } from './rollback-guard.ts'

/** What the vault keeps in the body of each row that guards itself, beside what the activity has to say. */
type Kept = {
  /** Counts up each time it is written. */
  readonly revision: number
  /** Never earlier than in the row before: what was replaced would be good until then. */
  readonly keptUntil: Ms
}

/** A clock that runs ahead must not sweep away what another still counts. */
const CLOCKS_APART_MAX_MS = 60 * 60 * 1000

export function selfGuardedKey({ organizationId, kind, objectId }: ObjectKey): string {
  return `${kind} ${objectId} of organization ${organizationId}`
}

/** Of an opened row; one that was written before rows were counted is the first. */
export function selfGuardedState<B>(kind: ObjectKind<B>, body: B, seal: string): State {
  // The vault sealed it, with these two or before there were any.
  const { revision = 0, keptUntil } = body as B & Partial<Kept>
  return { revision, seal, until: keptUntil ?? kind.expiresAt?.(body) ?? 0 }
}

/** Until when an opened row is missed, so that it may not be swept away; for ever where nothing is said of it. */
export function missedUntil<B>(kind: ObjectKind<B>, body: B): Ms {
  // The vault sealed it, with this or before there was any.
  const { keptUntil } = body as B & Partial<Kept>
  return keptUntil ?? kind.expiresAt?.(body) ?? Number.POSITIVE_INFINITY
}

/** Of a row that `selfGuarded` has made. */
export function selfGuardedStateIn({ body, seal }: ObjectRow): State {
  // It was just written by the function below.
  const { revision, keptUntil } = JSON.parse(body) as Kept
  return { revision, seal, until: keptUntil }
}

/** Of any row whose seal was verified; one that was written before rows were counted is the first. */
export function selfGuardedRevision({ body }: ObjectRow): number {
  // The vault sealed it, with a revision or before there were any.
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
