import type { Outbound } from '../outside/outbound.ts'
import type { Repeated } from '../outside/repeated.ts'
import type { Timers } from '../outside/timers.ts'
import type { RunningVault } from '../link/running-vault.ts'
import type { Store } from '../store/store.ts'
import { closedOrTimedOut, drained, lameDuck, shutdownTimers } from './drain.ts'
import type { Observed } from './observed.ts'
import { removeOperatorFile } from './operator-file.ts'
import type { RequestLog } from './request-log.ts'
import type { Running } from './running.ts'
import type { ServiceParts } from './service-parts.ts'

/**
 * The longest times of the steps of a shutdown. Each is kept whatever hangs in its step, so that the later ones come:
 * 20 seconds together, with the two of the vault (`link/spawn-vault.ts`).
 */
const ANSWERS_MS_MAX = 12_000
const REST_MS_MAX = 3_000
const STORE_MS_MAX = 3_000

/** What a shutdown ends. */
type Closing = {
  readonly outbound: Pick<Outbound, 'close'>
  readonly store: Pick<Store, 'engine' | 'close'>
  readonly vault: Pick<RunningVault, 'end'>
}

type Draining = Closing &
  Pick<ServiceParts, 'config' | 'log'> & {
    readonly observed: { readonly machine: Pick<Observed['machine'], 'end'> }
    readonly running: Pick<Running, 'isDraining' | 'servers' | 'streams' | 'background'> & {
      readonly [part in 'delivery' | 'rotation']: Pick<Repeated, 'stop'> | undefined
    } & { readonly [part in 'requestLog' | 'tracing']: Pick<RequestLog, 'close'> | undefined }
  }

/**
 * Announces the stop and continues to serve for the lame-duck time, then answers the requests under way, and ends
 * deliveries and the vault.
 */
export async function drainService(parts: Draining, timers: Timers = shutdownTimers): Promise<void> {
  const { config, log, store, observed, running } = parts
  running.isDraining = true
  log('info', 'draining', { seconds: config.drainMs / 1_000 })
  await lameDuck(config.drainMs, timers)
  running.streams?.close()
  const answers = [...running.servers.map(drained), running.delivery?.stop(), running.rotation?.stop()]
  await closedOrTimedOut(Promise.all(answers), ANSWERS_MS_MAX, timers)
  const rest = [
    ...running.background.map((work) => work.stop()),
    running.requestLog?.close(),
    running.tracing?.close(),
  ]
  // Together: where the database hangs, a time for each would be longer than a supervisor waits.
  await closedOrTimedOut(Promise.all(rest), REST_MS_MAX, timers)
  observed.machine.end()
  if (store.engine === 'sqlite') removeOperatorFile(config)
  await close(parts, timers)
  log('info', 'drained', {})
}

/** Half a service would keep this process alive, and its supervisor would take it for a working one. */
export async function abandonService(closing: Closing, { streams, servers }: Running): Promise<void> {
  streams?.close()
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  await close(closing, shutdownTimers)
}

async function close({ outbound, store, vault }: Closing, timers: Timers): Promise<void> {
  outbound.close()
  await closedOrTimedOut(store.close(), STORE_MS_MAX, timers)
  await vault.end()
}
