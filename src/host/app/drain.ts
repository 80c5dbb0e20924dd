import type { Server } from 'node:http'
import { realTimers, type Timers } from '../outside/timers.ts'

/**
 * The time after the lame-duck time in which the process of a service has ended, whatever hangs. Supervisors are told
 * to wait a little longer (docs/how-to/tls-and-proxies.md).
 */
export const SHUTDOWN_MS_MAX = 22_000

/** The time for the requests under way; a connection that sends nothing is closed after it. */
const REQUESTS_MS_MAX = 10_000

/** Those of a shutdown. A part that hangs may leave nothing else that keeps the process alive until they go off. */
export const shutdownTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * The lame-duck time: the service still answers, while callers of `/readyz` learn to send no further requests, and each
 * answer ends its connection. A request on an idle connection in the instant of its closing would be reset; after this
 * time there is no idle connection.
 */
export function lameDuck(ms: number, timers: Timers): Promise<void> {
  return new Promise((resolve) => void timers.after(ms, resolve))
}

/** Accepts no new connections, and resolves when every request under way has been answered. */
export function drained(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // A connection that sends nothing, or its request byte by byte, is closed after this time.
    realTimers.after(REQUESTS_MS_MAX, () => server.closeAllConnections())
  })
}

/** Waits a bounded time for something that may never close, such as connections to an unreachable database. */
export async function closedOrTimedOut(
  closing: Promise<unknown>,
  msMax: number,
  timers: Timers = shutdownTimers,
): Promise<void> {
  const longEnough = Promise.withResolvers<void>()
  const cancel = timers.after(msMax, longEnough.resolve)
  await Promise.race([closing, longEnough.promise])
  cancel()
}
