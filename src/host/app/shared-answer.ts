import type { Timers } from '../outside/timers.ts'

/** One answer for all callers while it is being found, and for a while after. A failure is not kept. */
export function sharedAnswer<T>(
  find: () => Promise<T>,
  { timers, freshMs }: { readonly timers: Timers; readonly freshMs: number },
): () => Promise<T> {
  let current: Promise<T> | undefined
  const forget = (): void => {
    current = undefined
  }
  return () => {
    if (current !== undefined) return current
    const found = find()
    current = found
    found.then(() => timers.after(freshMs, forget), forget)
    return found
  }
}
