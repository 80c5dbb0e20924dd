import { useEffect } from 'preact/hooks'
import type { Session } from './session.ts'

/** How soon a change is looked at: several at once are one look. */
const SOON_MS = 200
/** How long after a look the next one comes at the earliest: an organization may sign a thousand times a second. */
const LOOKS_APART_MS = 1_000
/** How often it is looked where no stream tells of changes, and how soon a stream that ended is opened again. */
const LOOK_EVERY_MS = 5_000

/**
 * Calls `look` when something has changed in the organization, as long as the page can be seen.
 *
 * @param session  undefined while nobody wants to know
 */
export function useChanges(session: Session | undefined, look: () => void): void {
  useEffect(() => {
    if (session === undefined) return
    const stop = new AbortController()
    let soon: ReturnType<typeof setTimeout> | undefined
    let lookedAt = -LOOKS_APART_MS
    const onChange = (): void => {
      soon ??= setTimeout(
        () => {
          soon = undefined
          if (stop.signal.aborted || document.visibilityState !== 'visible') return
          lookedAt = performance.now()
          look()
        },
        Math.max(SOON_MS, lookedAt + LOOKS_APART_MS - performance.now()),
      )
    }
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await session.watch(onChange, stop.signal)
        await pause(LOOK_EVERY_MS, stop.signal)
        // What happened meanwhile, or where there is no stream at all.
        onChange()
      }
    }
    follow().catch(reportError)
    document.addEventListener('visibilitychange', onChange)
    return () => {
      stop.abort()
      clearTimeout(soon)
      document.removeEventListener('visibilitychange', onChange)
    }
  }, [session])
}

/** Leaves nothing at the signal, which lives as long as the screen: a page may be open for weeks. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
