import type { Vault } from '../../protocol/vault.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { renewRootProof } from './root-proof.ts'
import type { Store } from '../store/store.ts'
import { nextPage, PASS_END } from './pass.ts'
import { readResealing, type Resealing, type ResealingNote, writeResealing } from './resealing-note.ts'

/** How long a host may be at a page before another one takes the pass up. */
export const LEASE_MS = 60_000
/** How many pages are done between two notes of how far it has come: an interrupted host repeats as many. */
const PAGES_PER_NOTE = 16
/** Rows are written while a pass goes on, and one that is older where it was read may be newer by then. */
const PASSES_MAX = 5
const TROUBLES_MAX = 100

type Means = {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => Ms
  /** Names this host while it runs. */
  readonly by: string
  /** Waits after each page, so that requests come first. */
  readonly rest: (pageMs: Ms) => Promise<void>
  readonly isStopped: () => boolean
}

/** How far resealing has come, and how many rows this step has sealed anew. */
type ResealStep = { readonly standing: Resealing; readonly resealed: number }

/**
 * Takes resealing some pages further, where it was ordered and no other host is at it.
 *
 * @returns  undefined where there is nothing to do
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

/** A pass that has found nothing left to do was the last. */
async function afterPass({ store, vault, by }: Means, ended: Resealing): Promise<Resealing> {
  const passes = ended.passes + 1
  const { last } = ended
  const isAllDone = last?.found.length === 0 && last.unsealed === 0 && last.secrets?.left === 0
  if (isAllDone && (await renewRootProof(store, vault)))
    return { ...ended, passes, state: 'done', by: '', until: 0 }
  if (passes >= PASSES_MAX) return { ...ended, passes, state: 'stuck', by: '', until: 0 }
  return { ...ended, passes, pass: `${ended.order} ${passes + 1}`, count: null, troubles: [], by }
}

/** With the lease of this host renewed, or given up where there is nothing more to do. */
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
