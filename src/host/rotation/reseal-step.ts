import type { Vault } from '../../protocol/vault.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { renewRootProof } from './root-proof.ts'
import type { Store } from '../store/store.ts'
import { nextPage, PASS_END } from './pass.ts'
import { readResealing, type Resealing, type ResealingNote, writeResealing } from './resealing-note.ts'

/** The time after which another host takes over a page. */
export const LEASE_MS = 60_000
/** The number of pages between two notes of the position. An interrupted host repeats at most so many. */
const PAGES_PER_NOTE = 16
/** Rows are written during a pass, so a row that was read in an older state may be newer by now. */
const PASSES_MAX = 5
const TROUBLES_MAX = 100

type Means = {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => Ms
  /** Identifies this host while it runs. */
  readonly by: string
  /** Waits after each page, so that requests come first. */
  readonly rest: (pageMs: Ms) => Promise<void>
  readonly isStopped: () => boolean
}

/** The progress of resealing, and the number of rows that this step has resealed. */
type ResealStep = { readonly standing: Resealing; readonly resealed: number }

/**
 * Takes resealing some pages further, if it was ordered and no other host works on it.
 *
 * @returns  undefined if there is nothing to do
 */
export async function resealStep(means: Means): Promise<ResealStep | undefined> {
  const { store, vault, now, by } = means
  const found = await readResealing(store)
  if (found === undefined || found.standing.state === 'done' || found.standing.state === 'stuck')
    return undefined
  if (found.standing.by !== by && found.standing.until > now()) return undefined
  const { seals: to } = await vault.rereadRootKey()
  const taken = await note(means, found, { ...found.standing, state: 'running' })
  if (taken === undefined) return undefined
  let { count, resealed, troubles } = taken.standing
  for (let page = 0; page < PAGES_PER_NOTE && count?.place !== PASS_END && !means.isStopped(); page++) {
    const began = now()
    const done = await nextPage(means, { pass: taken.standing.pass, count: count ?? undefined, to })
    count = done.count ?? null
    resealed += done.resealed
    troubles = [...troubles, ...done.troubles].slice(0, TROUBLES_MAX)
    await means.rest(now() - began)
  }
  const further = { ...taken.standing, count, resealed, troubles }
  const next = count?.place === PASS_END ? await afterPass(means, { ...further, last: count }) : further
  const noted = await note(means, taken, next)
  return { standing: noted?.standing ?? next, resealed: resealed - taken.standing.resealed }
}

/** A pass that has found no row to reseal was the last. */
async function afterPass({ store, vault, by }: Means, ended: Resealing): Promise<Resealing> {
  const passes = ended.passes + 1
  const { last } = ended
  const isAllDone = last?.found.length === 0 && last.unsealed === 0 && last.secrets?.left === 0
  if (isAllDone && (await renewRootProof(store, vault)))
    return { ...ended, passes, state: 'done', by: '', until: 0 }
  if (passes >= PASSES_MAX) return { ...ended, passes, state: 'stuck', by: '', until: 0 }
  return { ...ended, passes, pass: `${ended.order} ${passes + 1}`, count: null, troubles: [], by }
}

/** The note with the lease of this host renewed, or without a lease if the work is done. */
async function note(
  { store, now, by }: Means,
  { noted }: ResealingNote,
  next: Resealing,
): Promise<ResealingNote | undefined> {
  const isOver = next.state === 'done' || next.state === 'stuck'
  const changedAt = now()
  const lease = isOver ? {} : { by, until: changedAt + LEASE_MS }
  return await writeResealing(store, noted, { ...next, ...lease, changedAt })
}
