import { assert, present } from '../../base/assert.ts'
import type { Steps } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import {
  type Gathered,
  isObjects,
  type Needs,
  type ObjectsNeed,
  type Opened,
} from '../../catalogue/objects.ts'
import type { ObjectRow } from '../../catalogue/unit.ts'
import type { VaultContext } from '../vault-context.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { BroughtNames, BroughtRows } from '../../../protocol/vault.ts'
import { costOfObject } from '../seals/row-costs.ts'
import { fitsObject, openObject, Tampered } from '../seals/seals.ts'
import { selfGuardedKey, selfGuardedState } from '../memory/self-guarded.ts'

/** The rows an activity asked for, opened. `wipe` clears every secret among them. */
export type OpenedRows = {
  readonly gathered: Gathered<Needs>
  readonly all: readonly Opened<unknown>[]
  readonly wipe: () => void
}

/**
 * Opens the rows that the host brought, and checks that each row belongs to this organization and answers the need. A
 * row that was not brought counts as absent: a host can withhold rows, but not substitute them. When the steps end
 * early, the opened rows are wiped.
 */
export function* openRows(
  vaultContext: Pick<VaultContext, 'keyring' | 'memory'>,
  organizationId: string,
  needs: Needs,
  brought: { readonly rows: BroughtRows; readonly taken: BroughtNames; readonly now: Ms },
): Steps<OpenedRows> {
  const gathered: Record<string, readonly Opened<unknown>[] | ReadonlySet<string>> = {}
  const bodies: Record<string, readonly unknown[]> = {}
  const all: Opened<unknown>[] = []
  const wipe = (): void => {
    for (const { secret } of all) secret.wipe()
  }
  let isDone = false
  try {
    for (const [name, need] of Object.entries(needs)) {
      if (!isObjects(need)) {
        gathered[name] = new Set(brought.taken[name] ?? [])
        continue
      }
      const earlier = 'following' in need.by ? (bodies[need.by.following] ?? []) : []
      const opened: Opened<unknown>[] = []
      for (const row of brought.rows[name] ?? []) {
        yield costOfObject(row)
        const item = openRow(vaultContext.keyring, organizationId, need, row, earlier)
        opened.push(item)
        all.push(item)
      }
      gathered[name] = opened
      bodies[name] = opened.map(({ body }) => body)
      if (need.kind.guardedBy === 'row')
        checkNewest(
          vaultContext,
          need,
          { organizationId, opened, rows: brought.rows[name] ?? [] },
          brought.now,
        )
    }
    isDone = true
    return { gathered, all, wipe }
  } finally {
    if (!isDone) wipe()
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

/** The charter does not cover self-guarded rows: each row, or its absence, is compared with the newest known state. */
function checkNewest(
  { keyring, memory }: Pick<VaultContext, 'keyring' | 'memory'>,
  { kind, by }: ObjectsNeed<unknown>,
  {
    organizationId,
    opened,
    rows,
  }: {
    readonly organizationId: string
    readonly opened: readonly Opened<unknown>[]
    readonly rows: readonly ObjectRow[]
  },
  now: Ms,
): void {
  for (const [at, { body, seal }] of opened.entries()) {
    const row = present(rows[at], 'each opened row was brought')
    const state = selfGuardedState(kind, body, seal)
    memory.seeRow(row, state, now, (known) => fitsObject(keyring, row, known))
  }
  const asked = 'ids' in by ? by.ids : []
  for (const id of asked) {
    const key = selfGuardedKey({ organizationId, kind: kind.kind, objectId: id })
    if (!opened.some(({ objectId }) => objectId === id)) memory.rows.check(key, undefined, now)
  }
}
