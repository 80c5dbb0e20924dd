import { closedOrTimedOut, drained, lameDuck } from './drain.ts'
import type { OpenedService } from './open-service.ts'
import { removeOperatorFile } from './operator-file.ts'
import type { Running } from './running.ts'
import type { ServiceParts } from './service-parts.ts'

/**
 * Announces the stop and continues to serve for the lame-duck time, then answers the requests under way, and ends
 * deliveries and the vault.
 */
export async function drainService(parts: ServiceParts): Promise<void> {
  const { config, log, store, observed, running } = parts
  running.isDraining = true
  log('info', 'draining', { seconds: config.drainMs / 1_000 })
  await lameDuck(config.drainMs)
  running.streams?.close()
  await Promise.all([...running.servers.map(drained), running.delivery?.stop(), running.rotation?.stop()])
  const rest = [
    ...running.background.map((work) => work.stop()),
    running.requestLog?.close(),
    running.tracing?.close(),
  ]
  // Together: where the database hangs, a time for each would be longer than a supervisor waits.
  await closedOrTimedOut(Promise.all(rest))
  observed.machine.end()
  if (store.engine === 'sqlite') removeOperatorFile(config)
  await closeOpened(parts)
  log('info', 'drained', {})
}

/** Half a service would keep this process alive, and its supervisor would take it for a working one. */
export async function abandonService(opened: OpenedService, { streams, servers }: Running): Promise<void> {
  streams?.close()
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  await closeOpened(opened)
}

async function closeOpened({ outbound, store, vault }: Omit<OpenedService, 'host'>): Promise<void> {
  outbound.close()
  await closedOrTimedOut(store.close())
  await vault.end()
}
