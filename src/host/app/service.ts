import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Inbox } from '../delivery/inbox.ts'
import { openChangeStreams } from '../http/changes/change-streams.ts'
import type { RunningVault } from '../link/running-vault.ts'
import { realTimers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'
import { startBackground } from './background.ts'
import type { Config } from './config.ts'
import { EmptyStore } from './empty-store.ts'
import { exitSoon } from './exit-now.ts'
import type { Log } from './log.ts'
import { type Observed, observe } from './observed.ts'
import { openService } from './open-service.ts'
import { writeOperatorFile } from './operator-file.ts'
import { type Addresses, openPorts } from './ports.ts'
import { requestLogOf } from './request-log.ts'
import { nothingRunning } from './running.ts'
import { refuseSlowSecp256k1 } from './secp256k1-trouble.ts'
import { serviceAnswers } from './service-answers.ts'
import type { ServiceParts } from './service-parts.ts'
import { abandonService, drainService } from './stop-service.ts'
import { tracingTo } from './tracing.ts'
import { vaultRefusals } from './vault-refusals.ts'
import { beginYoung } from './young-objects.ts'
import { measuredHost } from './work-metrics.ts'

export type Service = {
  readonly host: Host
  readonly url: string
  /** The address of the console; undefined if it is off. */
  readonly consoleUrl: string | undefined
  /**
   * Announces the stop and continues to serve for the lame-duck time, then answers the requests under way, and ends
   * deliveries and the vault.
   */
  readonly drain: () => Promise<void>
}

/**
 * The whole service on its socket.
 *
 * @param inbox       in development: accepts messages without a provider, and is shown
 * @param allowEmpty  also if no organization exists yet; otherwise a wrong database address would look like a service
 * @param vault       the vault, if it was started before
 * @throws EmptyStore
 */
export async function startService(
  config: Config,
  log: Log,
  {
    inbox,
    allowEmpty = false,
    vault: started,
  }: { readonly inbox?: Inbox; readonly allowEmpty?: boolean; readonly vault: RunningVault },
): Promise<Service> {
  beginYoung()
  const running = nothingRunning()
  const committed = (organizationId: string): void => {
    running.delivery?.wake()
    running.streams?.changed(organizationId)
  }
  let observed: Observed | undefined
  const onNotTaken = vaultRefusals(log, (error) => observed?.onTrouble(error))
  const opened = await openService(config, committed, started, onNotTaken)
  observed = observe(config, log, opened)
  try {
    refuseSlowSecp256k1(opened.secp256k1, config.allowSlowSecp256k1)
    running.requestLog = requestLogOf(config.requestLog, log)
    running.tracing = await tracingTo(config.traces, log)
    if (!allowEmpty && (await opened.store.isEmpty())) throw new EmptyStore(config)
    const host = measuredHost(opened.host, observed.work)
    const parts: ServiceParts = { ...opened, host, config, log, inbox, observed, running }
    const addresses = await listen(parts)
    exitAfterVault(parts)
    await startBackground(parts)
    tellAddresses(parts, addresses)
    const { url, consoleUrl } = addresses
    return { host, url, consoleUrl, drain: () => drainService(parts) }
  } catch (error) {
    await abandonService(opened, running)
    throw error
  }
}

/** Opens the ports, and tells the command line of them. */
async function listen(parts: ServiceParts): Promise<Addresses> {
  const { config, host, store, observed, running } = parts
  const streams = openChangeStreams(host, {
    world: realWorld,
    timers: realTimers,
    newEpoch: () => toHex(realWorld.randomBytes(8)),
    onTrouble: observed.onTrouble,
  })
  running.streams = streams
  const operatorKey = toHex(realWorld.randomBytes(32))
  const answers = await serviceAnswers(parts, { streams, operatorKey })
  const addresses = await openPorts(config, answers, running.servers)
  // The other engine permits the command line beside the service.
  if (store.engine === 'sqlite') writeOperatorFile(config, { url: addresses.url, key: operatorKey })
  return addresses
}

/** Without its vault the host cannot answer; the operator's supervisor starts it again. */
function exitAfterVault({ vault, log, running }: ServiceParts): void {
  void vault.ended.then((by) => {
    if (running.isDraining) return
    log('error', 'vault ended', { by })
    exitSoon(1)
  })
}

function tellAddresses({ config, log, store, vault, secp256k1 }: ServiceParts, addresses: Addresses): void {
  const { url, consoleUrl, framesUrl, operatorUrl, connectionsMax } = addresses
  log('info', 'listening', {
    url,
    ...(consoleUrl === undefined ? {} : { console: consoleUrl }),
    ...(framesUrl === undefined ? {} : { frames: framesUrl }),
    ...(operatorUrl === undefined ? {} : { operator: operatorUrl }),
    connectionsMax,
    store: store.engine,
    secp256k1,
    ...(vault.pid === undefined ? { vault: config.vaultPath } : { vaultPid: vault.pid }),
    pid: process.pid,
  })
}
