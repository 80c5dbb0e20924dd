import { exitNow } from '../app/exit-now.ts'
import type { Service } from '../app/service.ts'

/** A process that has nothing left to wait for ends by itself within this time. */
const LINGER_MS = 500

/** Drains the service when it is told to stop. Soon afterwards its process ends, whatever hangs. */
export async function serveUntilStopped(service: Service, stopped: Promise<void>): Promise<void> {
  await stopped
  await service.drain()
  setTimeout(() => exitNow(0), LINGER_MS).unref()
}
