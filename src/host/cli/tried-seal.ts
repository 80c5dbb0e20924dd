import type { Trial } from '../../seals/trial.ts'
import { isPlain, oneOf, optional, record, text } from '../../trusted/base/plain.ts'
import type { SealSettings } from '../link/seal-process.ts'
import { handedHere } from '../link/unseal-here.ts'

const WORDS = 2_000
const said = record({
  trial: optional(oneOf(['opens', 'unset', 'unsafe'] satisfies Trial['trial'][])),
  because: optional(text(WORDS)),
  failed: optional(text(WORDS)),
})

/** The result of the try, and what is said of one that does not open. */
type Tried = { readonly outcome: Trial['trial'] | 'fails'; readonly because: string }

/**
 * Tries a seal of the root key file of these settings as a start does: in a process of its own, which hands over no
 * part of the key.
 */
export async function triedSeal(settings: SealSettings, place: number): Promise<Tried> {
  const { said: told, ended } = await handedHere(settings, { place: `trial ${place}`, byPeople: false })
  const { trial, because = '', failed } = isPlain(said, told) ? told : {}
  if (trial !== undefined) return { outcome: trial, because }
  return { outcome: 'fails', because: failed ?? `its process ended without a word (${ended})` }
}
