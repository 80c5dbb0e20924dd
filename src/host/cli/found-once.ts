import type { Store } from '../store/store.ts'

/** Names the run that makes the first organization, for as long as it makes it. */
const NOTE = 'founding'
const PAUSE_MS = 100
const PAUSES_MAX = 100

/**
 * Makes the first organization, unless there is one. Of several runs at once, such as those of the pods of a new
 * deployment, one makes it, and the others wait for that run. A run that was killed is succeeded after ten seconds.
 *
 * @param run  a name that no other run has
 * @returns undefined if there is an organization
 */
export async function foundOnce<T>(
  store: Pick<Store, 'isEmpty' | 'note' | 'replaceNote'>,
  { run, pause }: { readonly run: string; readonly pause: (ms: number) => Promise<unknown> },
  found: () => Promise<T>,
): Promise<T | undefined> {
  const seen: { run: string | null; times: number } = { run: null, times: 0 }
  while (await store.isEmpty()) {
    const standing = (await store.note(NOTE)) ?? null
    if (standing !== seen.run) Object.assign(seen, { run: standing, times: 0 })
    if (standing !== null && seen.times++ < PAUSES_MAX) await pause(PAUSE_MS)
    else if (await store.replaceNote(NOTE, standing, run)) return await inTurn(store, run, found)
  }
  return undefined
}

async function inTurn<T>(
  store: Pick<Store, 'isEmpty' | 'replaceNote'>,
  run: string,
  found: () => Promise<T>,
): Promise<T | undefined> {
  try {
    // The run before may have ended between the two looks of this one.
    return (await store.isEmpty()) ? await found() : undefined
  } finally {
    await store.replaceNote(NOTE, run, null)
  }
}
