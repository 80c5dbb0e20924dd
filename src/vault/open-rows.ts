import { assert } from '../base/assert.ts'
import type { Gathered, Need, Needs, ObjectsNeed, Opened } from '../catalogue/objects.ts'
import type { ObjectRow } from '../catalogue/unit.ts'
import type { Keyring } from './keyring.ts'
import type { BroughtNames, BroughtRows } from './protocol.ts'
import { openObject, Tampered } from './seals.ts'

/** The rows an activity asked for, opened. `wipe` clears every secret among them. */
export type OpenedRows = {
  readonly gathered: Gathered<Needs>
  readonly all: readonly Opened<unknown>[]
  readonly wipe: () => void
}

/**
 * Opens what the host brought, and sees for itself that each row belongs to this organization and answers the need. A row that
 * was not brought counts as not there: a host can withhold, it cannot substitute.
 */
export function openRows(
  keyring: Keyring,
  organizationId: string,
  needs: Needs,
  brought: { readonly rows: BroughtRows; readonly taken: BroughtNames },
): OpenedRows {
  const gathered: Record<string, readonly Opened<unknown>[] | ReadonlySet<string>> = {}
  const bodies: Record<string, readonly unknown[]> = {}
  const all: Opened<unknown>[] = []
  for (const [name, need] of Object.entries(needs)) {
    if (isObjects(need)) {
      const earlier = 'following' in need.by ? (bodies[need.by.following] ?? []) : []
      const opened = (brought.rows[name] ?? []).map((row) =>
        openRow(keyring, organizationId, need, row, earlier),
      )
      gathered[name] = opened
      bodies[name] = opened.map(({ body }) => body)
      all.push(...opened)
    } else {
      gathered[name] = new Set(brought.taken[name] ?? [])
    }
  }
  return {
    gathered,
    all,
    wipe: () => {
      for (const { secret } of all) secret.wipe()
    },
  }
}

function openRow(
  keyring: Keyring,
  organizationId: string,
  need: ObjectsNeed<unknown>,
  row: ObjectRow,
  earlier: readonly unknown[],
): Opened<unknown> {
  assert(
    row.organizationId === organizationId && row.kind === need.kind.kind,
    'a row is brought for its own organization and kind',
  )
  const secret = openObject(keyring, row)
  const body = need.kind.parse(row.body)
  if (!need.answers(row.objectId, body, earlier))
    throw new Tampered(`${row.kind} ${row.objectId} was brought, and something else was asked for`)
  return { objectId: row.objectId, kind: need.kind, body, seal: row.seal, secret }
}

function isObjects(need: Need<unknown>): need is ObjectsNeed<unknown> {
  return need.need === 'objects'
}
