import type { Log } from './log.ts'

/**
 * The number of checks in a row without progress before a report: one may come right after the whole process was
 * suspended.
 */
const LOOKS = 3

/**
 * To be called once a second: reports to the log once that the count of turns does not change, and once that it changes
 * again.
 *
 * @param isComputing  whether the thread is on a processor, instead of waiting
 */
export function stallLooks(parts: {
  readonly beat: () => number
  readonly isComputing: () => boolean | undefined
  readonly log: Log
}): () => void {
  const { beat, isComputing, log } = parts
  let last = beat()
  let still = 0
  return () => {
    const now = beat()
    if (now !== last) {
      if (still >= LOOKS) log('info', 'stall over', { seconds: still })
      last = now
      still = 0
      return
    }
    if (++still === LOOKS) log('error', 'stalled', { seconds: still, detail: detailOf(isComputing()) })
  }
}

function detailOf(isBusy: boolean | undefined): string {
  const what = 'the host has not answered for some seconds'
  if (isBusy === undefined) return `${what}: it waits for the disk of the embedded store, or computes`
  return isBusy
    ? `${what}: it computes`
    : `${what}: it waits for the system, which is the disk of the embedded store unless something else is known to hang`
}
