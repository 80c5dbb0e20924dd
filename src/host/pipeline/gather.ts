import { Bug } from '../../trusted/base/assert.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import { isObjects, type Needs, type ObjectsNeed } from '../../trusted/catalogue/objects.ts'
import type { ObjectRow } from '../../trusted/catalogue/unit.ts'
import { contractInterfaces } from '../../trusted/objects/contract-interface.ts'
import type { Found } from '../store/found.ts'
import type { Store } from '../store/store.ts'
import type { BroughtNames, BroughtRows } from '../../protocol/vault.ts'
import type { RowCache } from './row-cache.ts'

const PAGE = 1000

type Gathered = {
  readonly brought: { readonly rows: BroughtRows; readonly taken: BroughtNames }
  /** Whether some of the rows guard themselves: the vault remembers such rows once it has seen them. */
  readonly areRemembered: boolean
  /** The lookups that have found everything there was; none where rows may be cached, as then nothing is amended. */
  readonly found: readonly Found[]
}

/** `fresh`: cached rows are read again. */
export type Sources = { readonly store: Store; readonly cache: RowCache | undefined; readonly fresh: boolean }

type Needing = {
  readonly needs: Needs
  readonly organizationId: string
  readonly version: number
}

/** @param tokenId  the id of the verification token in the stamp of the request */
export function needsOf({ needs }: Activity, intent: unknown, tokenId: string | undefined): Needs {
  return needs?.(intent, tokenId) ?? {}
}

/**
 * Brings the rows that an activity declares as its needs. The charter of this version was read before: a later change
 * of a row also changes the version, and the commit then finds another one.
 */
export async function gather(from: Sources, of: Needing): Promise<Gathered> {
  const rows: Record<string, readonly ObjectRow[]> = {}
  const taken: Record<string, readonly string[]> = {}
  const found: Found[] = []
  let areRemembered = false
  for (const [name, need] of Object.entries(of.needs)) {
    if (isObjects(need)) {
      rows[name] = await shelved(from, of, followed(need, rows), found)
      areRemembered ||= need.kind.guardedBy === 'row' && rows[name].length > 0
    } else taken[name] = await takenNames(from.store, of.organizationId, need.names)
  }
  return { brought: { rows, taken }, areRemembered, found }
}

/**
 * The number of rows that the same would read and that can have hundreds of thousands of characters: interfaces of
 * contracts that are not cached.
 */
export async function longRowsOf(from: Sources, of: Needing): Promise<number> {
  let count = 0
  for (const need of Object.values(of.needs)) {
    if (!isObjects(need) || need.kind.kind !== contractInterfaces.kind || !('entries' in need.by)) continue
    if (asksForNothing(need) || cached(from, of, need) !== undefined) continue
    const under = { version: of.version, server: from.store.server() }
    const ids = await idsFound(from.store, of.organizationId, need.by)
    if (ids.length === 0) from.cache?.set(of.organizationId, questionOf(need), under, [])
    count += ids.length
  }
  return count
}

/** A need that follows another one, as ids in the rows of the first need. The vault checks these ids itself. */
function followed(
  need: ObjectsNeed<unknown>,
  rows: Readonly<Record<string, readonly ObjectRow[]>>,
): ObjectsNeed<unknown> {
  const { by } = need
  if (!('following' in by)) return need
  const ids = (rows[by.following] ?? []).flatMap(({ body }) => by.idsIn(JSON.parse(body)))
  return { ...need, by: { ids: unique(ids) } }
}

type InVersion = Omit<Needing, 'needs'>

async function shelved(
  from: Sources,
  { organizationId, version }: InVersion,
  need: ObjectsNeed<unknown>,
  found: Found[],
): Promise<readonly ObjectRow[]> {
  if (asksForNothing(need)) return []
  const { store, cache } = from
  // A row that guards itself changes without a new version of the charter.
  if (need.kind.guardedBy === 'row') return await read(store, organizationId, need)
  if (cache === undefined) return await read(store, organizationId, need, found)
  const known = cached(from, { organizationId, version }, need)
  if (known !== undefined) return known
  const under = { version, server: store.server() }
  const rows = await read(store, organizationId, need)
  cache.set(organizationId, questionOf(need), under, rows)
  return rows
}

function cached(
  { store, cache, fresh }: Sources,
  { organizationId, version }: InVersion,
  need: ObjectsNeed<unknown>,
): readonly ObjectRow[] | undefined {
  const under = { version, server: store.server() }
  return fresh ? undefined : cache?.get(organizationId, questionOf(need), under)
}

function questionOf({ kind, by }: ObjectsNeed<unknown>): string {
  return `${kind.kind} ${JSON.stringify(by)}`
}

function asksForNothing({ by }: ObjectsNeed<unknown>): boolean {
  return ('ids' in by && by.ids.length === 0) || ('entries' in by && by.entries.length === 0)
}

async function read(
  store: Store,
  organizationId: string,
  need: ObjectsNeed<unknown>,
  found: Found[] = [],
): Promise<readonly ObjectRow[]> {
  const { kind } = need.kind
  if ('ids' in need.by) return await store.objects(organizationId, kind, unique(need.by.ids))
  if ('everything' in need.by) {
    const { enough } = need.by
    const rows = await everything(store, organizationId, kind, enough)
    if (rows.length !== enough) found.push({ of: 'kind', organizationId, kind, count: rows.length })
    return rows
  }
  if ('following' in need.by) throw new Bug('a need that follows another is asked for by ids')
  const ids = await idsFound(store, organizationId, need.by, found)
  return await store.objects(organizationId, kind, ids)
}

async function idsFound(
  store: Store,
  scope: string,
  {
    entries,
    enough = Number.POSITIVE_INFINITY,
  }: Extract<ObjectsNeed<unknown>['by'], { readonly entries: unknown }>,
  found: Found[] = [],
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { kind, value } of entries) {
    const before = ids.length
    for (let after: string | undefined; ids.length < enough; ) {
      const limit = Math.min(PAGE, enough - ids.length)
      const page = await store.find(
        { scope, kind, value },
        { limit, ...(after === undefined ? {} : { after }) },
      )
      ids.push(...page)
      if (page.length < limit) {
        found.push({ of: 'entry', organizationId: scope, kind, value, count: ids.length - before })
        break
      }
      after = page[page.length - 1]
    }
  }
  return unique(ids)
}

/** All objects of a kind, or `enough` of them. */
export async function everything(
  store: Pick<Store, 'objectsOfKind'>,
  organizationId: string,
  kind: string,
  enough: number = Number.POSITIVE_INFINITY,
): Promise<readonly ObjectRow[]> {
  const rows: ObjectRow[] = []
  for await (const page of pagesOfKind(store, organizationId, kind, { enough, limit: PAGE }))
    rows.push(...page)
  return rows
}

/** The same, page by page. */
export async function* pagesOfKind(
  store: Pick<Store, 'objectsOfKind'>,
  organizationId: string,
  kind: string,
  { enough = Number.POSITIVE_INFINITY, limit }: { readonly enough?: number; readonly limit: number },
): AsyncGenerator<readonly ObjectRow[], void> {
  let [left, after]: [number, string | undefined] = [enough, undefined]
  while (left > 0) {
    const wanted = Math.min(limit, left)
    const page: readonly ObjectRow[] = await store.objectsOfKind(organizationId, kind, {
      limit: wanted,
      ...(after === undefined ? {} : { after }),
    })
    yield page
    if (page.length < wanted) return
    left -= page.length
    after = page[page.length - 1]?.objectId
  }
}

async function takenNames(
  store: Store,
  organizationId: string,
  names: readonly { readonly kind: string; readonly value: string }[],
) {
  const taken = await store.claimed(names.map((name) => ({ ...name, scope: organizationId })))
  return taken.map(({ kind, value }) => `${kind} ${value}`)
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
