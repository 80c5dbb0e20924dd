import type { Server } from 'node:http'

const DRAIN_MS_MAX = 10_000
const CLOSE_MS_MAX = 5_000

/**
 * The lame-duck time: the service still answers, while callers of `/readyz` learn to send no further requests, and each
 * answer ends its connection. A request on an idle connection in the instant of its closing would be reset; after this
 * time there is no idle connection.
 */
export function lameDuck(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Accepts no new connections, and resolves when every request under way has been answered. */
export function drained(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // A connection that sends nothing, or its request byte by byte, is closed after this time.
    setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX).unref()
  })
}

/** Waits a bounded time for something that may never close, such as connections to an unreachable database. */
export async function closedOrTimedOut(closing: Promise<unknown>, msMax = CLOSE_MS_MAX): Promise<void> {
  const longEnough = Promise.withResolvers<void>()
  const timer = setTimeout(longEnough.resolve, msMax)
  await Promise.race([closing, longEnough.promise])
  clearTimeout(timer)
}
