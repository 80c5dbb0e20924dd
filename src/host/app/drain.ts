import type { Server } from 'node:http'

const DRAIN_MS_MAX = 10_000
const CLOSE_MS_MAX = 5_000

/**
 * The lame-duck time: still serving, while whoever asks `/readyz` learns to send nothing more, and each answer ends its
 * connection. What comes on an idle connection in the instant it is closed would be reset; by then nobody has one.
 */
export function lameDuck(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Takes no new connections, and resolves when every request under way has been answered. */
export function drained(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // A connection that sends nothing, or its request byte by byte, is not waited for any longer.
    setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX).unref()
  })
}

/** Lets go of something that may not answer any more, such as connections to a database that is away. */
export async function closedOrTimedOut(closing: Promise<void>): Promise<void> {
  const longEnough = Promise.withResolvers<void>()
  const timer = setTimeout(longEnough.resolve, CLOSE_MS_MAX)
  await Promise.race([closing, longEnough.promise])
  clearTimeout(timer)
}
