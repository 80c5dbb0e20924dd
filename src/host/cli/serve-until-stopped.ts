import { exitNow, LINGER_MS } from '../app/exit-now.ts'
import type { Service } from '../app/service.ts'

/** Drains the service when it is told to stop. Soon afterwards its process ends, whatever hangs. */
export async function serveUntilStopped(service: Service, stopped: Promise<void>): Promise<void> {
  await stopped
  await service.drain()
  setTimeout(() => exitNow(0), LINGER_MS).unref()
}
