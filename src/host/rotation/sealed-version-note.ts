import { ROOT_VERSION_MAX } from '../../trusted/vault/keys/seal-text.ts'
import type { Store } from '../store/store.ts'

const NOTE = 'sealed-version'
/**
 * The note has no proof. A note that is further ahead is not believed: otherwise somebody who writes to the database
 * could use up all numbers of versions at once.
 */
const AHEAD_MAX = 100

/** The highest version of the root key under which a host has sealed rows of this data; 0 if none has noted it. */
export async function sealedVersion(store: Pick<Store, 'note'>): Promise<number> {
  return versionIn(await store.note(NOTE))
}

/**
 * The version that seals rows of this data and that a root key file with this newest version lacks. It may be an
 * earlier copy of the file; a new version must not take its number.
 */
export function lackedVersion(sealedUnder: number, newest: number): number | undefined {
  return sealedUnder > newest && isBelieved(sealedUnder, newest) ? sealedUnder : undefined
}

/** @param seals  the version under which this host seals from now on */
export async function noteSealedVersion(
  store: Pick<Store, 'note' | 'replaceNote'>,
  seals: number,
): Promise<void> {
  for (;;) {
    const noted = await store.note(NOTE)
    const version = versionIn(noted)
    if (version >= seals && isBelieved(version, seals)) return
    if (await store.replaceNote(NOTE, noted ?? null, String(seals))) return
  }
}

function isBelieved(noted: number, held: number): boolean {
  return noted <= held + AHEAD_MAX && noted < ROOT_VERSION_MAX
}

function versionIn(noted: string | undefined): number {
  return Number(/^[1-9]\d{0,5}$/.exec(noted ?? '')?.[0] ?? 0)
}
