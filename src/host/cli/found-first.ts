import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { FOUNDING_NOTE } from '../copies/store-notes.ts'
import type { Store } from '../store/store.ts'
import { pause } from './root-key/say.ts'

const LOOK_MS = 200
const WAIT_MS = 20_000

/**
 * Makes the first organization of a store, unless it has one. Of several commands at once, such as those of containers
 * that start together on one database, one makes it, and the others wait for it.
 *
 * @param waitMs  how long another command may take before it counts as killed; one that takes longer and is not killed
 *                may make another organization
 * @returns undefined if the store has an organization
 */
export async function foundFirst<Founded>(
  store: Pick<Store, 'isEmpty' | 'noteOnce' | 'replaceNote'>,
  found: () => Promise<Founded>,
  { waitMs = WAIT_MS }: { readonly waitMs?: number } = {},
): Promise<Founded | undefined> {
  const own = toHex(realWorld.randomBytes(16))
  let standing = await store.noteOnce(FOUNDING_NOTE, own)
  for (let waitedMs = 0; standing !== own; waitedMs += LOOK_MS) {
    if (!(await store.isEmpty())) return undefined
    if (waitedMs >= waitMs) {
      if (await store.replaceNote(FOUNDING_NOTE, standing, own)) break
      waitedMs = 0
    } else await pause(LOOK_MS)
    standing = await store.noteOnce(FOUNDING_NOTE, own)
  }
  try {
    // It may have been made between the two notes.
    return (await store.isEmpty()) ? await found() : undefined
  } finally {
    await store.replaceNote(FOUNDING_NOTE, own, null)
  }
}
