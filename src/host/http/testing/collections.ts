// A program that serves requests, and tells its parent by which port, and on each message how many times it has
// collected the garbage of its whole heap so far. The requests come from the parent, whose own garbage counts apart.
import { constants, PerformanceObserver } from 'node:perf_hooks'
import type { AddressInfo } from 'node:net'
import { httpServer } from '../server.ts'

let collections = 0
const observer = new PerformanceObserver((list) => count(list.getEntries()))
observer.observe({ entryTypes: ['gc'] })
const server = httpServer({
  routes: new Map([['POST /long', async () => ({ kind: 'ok', body: '{}' }) as const]]),
  world: { now: () => 0, elapsed: () => 0, randomBytes: (length) => new Uint8Array(length) },
  isTrustedProxy: () => false,
  onBug: (bug) => {
    throw bug
  },
  onAnswered: () => {},
})
server.listen(0, '127.0.0.1', () => {
  // A TCP server that listens has an address with a port.
  process.send?.((server.address() as AddressInfo).port)
})
process.on('message', () => {
  count(observer.takeRecords())
  process.send?.(collections)
})
process.on('disconnect', () => process.exit())

function count(entries: readonly unknown[]): void {
  // What an entry of this type has, by Node's documentation.
  const kinds = (entries as readonly { readonly detail: { readonly kind: number } }[]).map(
    (entry) => entry.detail.kind,
  )
  collections += kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MAJOR).length
}
