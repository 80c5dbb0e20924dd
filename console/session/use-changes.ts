import { useEffect } from 'preact/hooks'
import type { Session } from './session.ts'

/** How soon a change is looked at: several at once are one look. */
const SOON_MS = 200
/** How often it is looked where no stream tells of changes, and how soon a stream that ended is opened again. */
const LOOK_EVERY_MS = 5_000

/** Calls `look` when something has changed in the organization, as long as the page can be seen. */
export function useChanges(session: Session, look: () => void): void {
  useEffect(() => {
    const stop = new AbortController()
    let soon: ReturnType<typeof setTimeout> | undefined
    const onChange = (): void => {
      soon ??= setTimeout(() => {
        soon = undefined
        if (!stop.signal.aborted && document.visibilityState === 'visible') look()
      }, SOON_MS)
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
