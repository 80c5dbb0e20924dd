// A program that prints by how many bytes the old generation grows with requests that are under way and end: those in
// `InFlight`, and those in a Map. It is run with --expose-gc in a process of its own: how the garbage collector ages
// objects depends on what else there is.
import { getHeapSpaceStatistics } from 'node:v8'
import { InFlight } from '../in-flight.ts'

const REQUESTS = 4_000
const REQUEST_WORDS = 100
const AT_ONCE = 64
/** A request outlives one collection of the young generation at most. */
const REQUESTS_PER_COLLECTION = AT_ONCE + 6

const items = new InFlight<readonly number[]>()
const map = new Map<number, readonly number[]>()
const held = oldBytesOf({
  put: (request, words) => items.put(request, words),
  take: (request) => items.take(request),
})
const heldByMap = oldBytesOf({
  put: (request, words) => map.set(request, words),
  take: (request) => map.delete(request),
})
console.log(JSON.stringify({ held, heldByMap }))

type Holder = {
  readonly put: (request: number, words: readonly number[]) => unknown
  readonly take: (request: number) => unknown
}

function oldBytesOf({ put, take }: Holder): number {
  globalThis.gc?.()
  const before = oldBytes()
  for (let request = 0; request < REQUESTS; request++) {
    put(
      request,
      Array.from({ length: REQUEST_WORDS }, () => request),
    )
    take(request - AT_ONCE)
    if (request % REQUESTS_PER_COLLECTION === 0) globalThis.gc?.({ type: 'minor' })
  }
  return oldBytes() - before
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0
}
