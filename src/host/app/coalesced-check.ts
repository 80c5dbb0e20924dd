import type { Timers } from '../outside/timers.ts'

export type Check = () => Promise<boolean>

/**
 * Whether something works, found out by trying it. However many want to know, it is tried once at a time, and what was
 * found is good for a while: nobody can make it dear by asking. What takes longer than the deadline does not work,
 * until it has answered after all.
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
