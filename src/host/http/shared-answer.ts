import type { Timers } from '../outside/timers.ts'

/**
 * One answer for all callers while it is being found, and for a while after. A failure is not kept, because its cause
 * may be removed while the service runs.
 *
 * @param fresh  for how long; as long as this process runs unless given
 */
export function sharedAnswer<T>(
  find: () => Promise<T>,
  fresh?: { readonly timers: Timers; readonly freshMs: number },
): () => Promise<T> {
  let current: Promise<T> | undefined
  const forget = (): void => {
    current = undefined
  }
  return () => {
    if (current !== undefined) return current
    const found = find()
    current = found
    found.then(() => fresh?.timers.after(fresh.freshMs, forget), forget)
    return found
  }
}
