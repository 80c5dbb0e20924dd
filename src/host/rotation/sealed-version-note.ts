import { ROOT_VERSION_MAX } from '../../trusted/vault/keys/seal-text.ts'
import type { Store } from '../store/store.ts'

const NOTE = 'sealed-version'

/**
 * The highest version of the root key under which a host has sealed rows of this data; 0 if none has noted it. An
 * earlier copy of the root key file may lack that version, and a new version must not take its number. The note has no
 * proof: what it says adds a warning and leaves out numbers, and opens nothing.
 */
export async function sealedVersion(store: Pick<Store, 'note'>): Promise<number> {
  return versionIn(await store.note(NOTE))
}

/** @param seals  the version under which this host seals from now on */
export async function noteSealedVersion(
  store: Pick<Store, 'note' | 'replaceNote'>,
  seals: number,
): Promise<void> {
  for (;;) {
    const noted = await store.note(NOTE)
    if (versionIn(noted) >= seals) return
    if (await store.replaceNote(NOTE, noted ?? null, String(seals))) return
  }
}

function versionIn(noted: string | undefined): number {
  const version = Number(/^[1-9]\d{0,5}$/.exec(noted ?? '')?.[0] ?? 0)
  return Math.min(version, ROOT_VERSION_MAX - 1)
}
