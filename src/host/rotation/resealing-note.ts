import { jsonIn } from '../../trusted/base/json-in.ts'
import {
  isPlain,
  list,
  nullable,
  oneOf,
  type PlainOf,
  record,
  text,
  whole,
} from '../../trusted/base/plain.ts'
import { passCount } from '../../protocol/reseal.ts'
import type { Ms } from '../../trusted/base/world.ts'
import type { Store } from '../store/store.ts'

const NOTE = 'resealing'
const word = text(16_384)

/** The progress of resealing, for the operator and for the hosts that take turns. Only its count is trusted. */
const resealing = record({
  /** Identifies the order; each of its passes has a name of its own. */
  order: word,
  pass: word,
  /** The number of finished passes. */
  passes: whole(),
  state: oneOf(['ordered', 'running', 'done', 'stuck']),
  count: nullable(passCount),
  /** The count of the last finished pass. */
  last: nullable(passCount),
  resealed: whole(),
  startedAt: whole(),
  changedAt: whole(),
  /** The working host, and the end of its lease. Until then no other host takes over. */
  by: word,
  until: whole(),
  /** Some of the rows that could not be resealed. */
  troubles: list(word, 100),
})

export type Resealing = PlainOf<typeof resealing>

/** The present content, and the exact text that a replacement has to name. */
export type ResealingNote = { readonly standing: Resealing; readonly noted: string }

export async function readResealing(store: Pick<Store, 'note'>): Promise<ResealingNote | undefined> {
  const noted = await store.note(NOTE)
  const standing = noted === undefined ? undefined : parsed(noted)
  return noted === undefined || standing === undefined ? undefined : { standing, noted }
}

/** @returns  undefined if another host has written it in the meantime */
export async function writeResealing(
  store: Pick<Store, 'replaceNote'>,
  noted: string | null,
  standing: Resealing,
): Promise<ResealingNote | undefined> {
  const next = JSON.stringify(standing)
  return (await store.replaceNote(NOTE, noted, next)) ? { standing, noted: next } : undefined
}

/** Orders that all rows are sealed under the version that seals now. This order replaces one that is under way. */
export async function orderResealing(
  store: Pick<Store, 'note' | 'replaceNote'>,
  order: string,
  now: Ms,
): Promise<Resealing> {
  for (;;) {
    const noted = (await store.note(NOTE)) ?? null
    const written = await writeResealing(store, noted, {
      order,
      pass: `${order} 1`,
      passes: 0,
      state: 'ordered',
      count: null,
      last: null,
      resealed: 0,
      startedAt: now,
      changedAt: now,
      by: '',
      until: 0,
      troubles: [],
    })
    if (written !== undefined) return written.standing
  }
}

function parsed(noted: string): Resealing | undefined {
  const value = jsonIn(noted)
  return isPlain(resealing, value) ? value : undefined
}
