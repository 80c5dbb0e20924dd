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

/**
 * How far resealing has come, for the hosts that take turns at it and for the operator. It is believed in nothing but
 * the count.
 */
const resealing = record({
  /** Names the order; each pass of it has the name of its own. */
  order: word,
  pass: word,
  /** Passes that have come to an end. */
  passes: whole(),
  state: oneOf(['ordered', 'running', 'done', 'stuck']),
  count: nullable(passCount),
  /** Of the last pass that has come to its end. */
  last: nullable(passCount),
  resealed: whole(),
  startedAt: whole(),
  changedAt: whole(),
  /** The host that is at work, until when nobody else takes it up. */
  by: word,
  until: whole(),
  /** Some of the rows that could not be sealed anew. */
  troubles: list(word, 100),
})

export type Resealing = PlainOf<typeof resealing>

/** As it stands, with the text that it is replaced by. */
export type ResealingNote = { readonly standing: Resealing; readonly noted: string }

export async function readResealing(store: Pick<Store, 'note'>): Promise<ResealingNote | undefined> {
  const noted = await store.note(NOTE)
  const standing = noted === undefined ? undefined : parsed(noted)
  return noted === undefined || standing === undefined ? undefined : { standing, noted }
}

/** @returns  undefined where another host has written it meanwhile */
export async function writeResealing(
  store: Pick<Store, 'replaceNote'>,
  noted: string | null,
  standing: Resealing,
): Promise<ResealingNote | undefined> {
  const next = JSON.stringify(standing)
  return (await store.replaceNote(NOTE, noted, next)) ? { standing, noted: next } : undefined
}

/**
 * Orders that all rows are sealed under the version that seals now. An order that is under way is replaced by this one.
 */
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
  try {
    const value: unknown = JSON.parse(noted)
    return isPlain(resealing, value) ? value : undefined
  } catch {
    return undefined
  }
}
