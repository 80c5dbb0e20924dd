import type { Timers } from '../outside/timers.ts'

export type Check = () => Promise<boolean>

/**
 * Whether a part works, found by trying it. Only one attempt runs at a time, for all callers together, and its result
 * is valid for a while, so callers cannot make it expensive. A part that takes longer than the deadline counts as not
 * working, until it has answered after all.
 */
export function coalescedCheck(
  attempt: () => Promise<unknown>,
  {
    timers,
    deadlineMs,
    freshMs,
  }: { readonly timers: Timers; readonly deadlineMs: number; readonly freshMs: number },
): Check {
  let current: Promise<boolean> | undefined
  const start = (): Promise<boolean> => {
    const found = Promise.withResolvers<boolean>()
    current = found.promise
    const cancel = timers.after(deadlineMs, () => {
      current = Promise.resolve(false)
      found.resolve(false)
    })
    const settled = (works: boolean): void => {
      cancel()
      found.resolve(works)
      current = Promise.resolve(works)
      timers.after(freshMs, () => {
        current = undefined
      })
    }
    attempt().then(
      () => settled(true),
      () => settled(false),
    )
    return found.promise
  }
  return () => current ?? start()
}
