import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { activities } from '../activities/list.ts'
import { toHex } from '../base/bytes.ts'
import { realWorld } from '../base/real-world.ts'
import { carryOutOrder } from '../delivery/desk.ts'
import type { Inbox } from '../delivery/inbox.ts'
import { openIssuerKeys } from '../delivery/issuer-keys.ts'
import { openOutbound, type Outbound } from '../delivery/outbound.ts'
import type { Delivery } from '../delivery/runner.ts'
import { realTimers } from '../delivery/timers.ts'
import { authProxyRoutes } from '../http/auth-proxy/routes.ts'
import { inboxRoutes } from '../http/inbox-routes.ts'
import { operatorRoutes } from '../http/operator-routes.ts'
import { openRateLimits } from '../http/rate-limits.ts'
import { httpServer } from '../http/server.ts'
import { interfaceRoutes } from '../http/routes.ts'
import { serviceRoutes } from '../http/service-routes.ts'
import { trustedProxies } from '../http/trusted-proxies.ts'
import { warnOfForwarding } from './warn-of-forwarding.ts'
import type { Host } from '../pipeline/host.ts'
import { openHost } from '../pipeline/open-host.ts'
import { queries } from '../queries/list.ts'
import type { Store } from '../store/store.ts'
import { listen } from './check-port.ts'
import type { Config } from './config.ts'
import { startDelivering } from './delivering.ts'
import { deliveryMetrics } from './delivery-metrics.ts'
import type { Log } from './log.ts'
import { metrics } from './metrics.ts'
import { openStore } from './open-store.ts'
import { removeOperatorFile, writeOperatorFile } from './operator-file.ts'
import { outsideOf } from './outside.ts'
import { proveRootKey } from './root-proof.ts'
import { spawnVault, type SpawnedVault } from './spawn-vault.ts'

const DRAIN_MS_MAX = 10_000

/** The store is reachable and has nothing in it. */
export class EmptyStore extends Error {
  override readonly name = 'EmptyStore'
}

export type Service = {
  readonly host: Host
  readonly url: string
  readonly vault: SpawnedVault
  /** Takes no new requests, answers those under way, ends deliveries under way, and ends the vault. */
  readonly drain: () => Promise<void>
}

/** Opens the store and the vault, sees that they belong together, and hands out the host; without a socket yet. */
export async function openService(
  config: Config,
  onCommitted: Host['onCommitted'] = () => {},
): Promise<{
  readonly host: Host
  readonly vault: SpawnedVault
  readonly store: Store
  readonly outbound: Outbound
  readonly secp256k1: string
}> {
  const store = await openStore(config)
  try {
    const vault = spawnVault({
      rootKeyPath: config.rootKeyPath,
      allowPrivateTargets: config.delivery.allowPrivateTargets,
      ...(config.passphrasePath === undefined ? {} : { passphrasePath: config.passphrasePath }),
      ...(config.passphrase === undefined ? {} : { passphrase: config.passphrase }),
    })
    try {
      const { secp256k1 } = await vault.ready
      await proveRootKey(store, vault.vault, realWorld)
      const outbound = openOutbound({ allowPrivate: config.delivery.allowPrivateTargets })
      const issuerKeys = openIssuerKeys({ outbound, now: realWorld.now })
      const host = openHost({
        store,
        vault: vault.vault,
        world: realWorld,
        activities,
        outside: outsideOf({ issuerKeys, outbound, timers: realTimers }),
        onCommitted,
      })
      return { host, vault, store, outbound, secp256k1 }
    } catch (error) {
      vault.close()
      throw error
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * The whole service on its socket.
 *
 * @param inbox       in development: takes messages where no provider is configured, and is shown
 * @param allowEmpty  also where no organization was founded yet; else an address of the wrong database would pass for a service
 * @throws EmptyStore
 */
export async function startService(
  config: Config,
  log: Log,
  { inbox, allowEmpty = false }: { readonly inbox?: Inbox; readonly allowEmpty?: boolean } = {},
): Promise<Service> {
  let delivery: Delivery | undefined
  const { host, vault, store, outbound, secp256k1 } = await openService(config, () => delivery?.wake())
  if (!allowEmpty && (await store.isEmpty())) {
    await store.close()
    vault.close()
    throw new EmptyStore(
      `there is no organization in ${config.databaseUrl === undefined ? config.dataFolder : 'this database'}: is it the right one? ` +
        'claviger init founds the first; with --allow-empty it is served as it is',
    )
  }
  const measured = metrics()
  const delivered = deliveryMetrics()
  const limits =
    config.rateLimits === undefined
      ? undefined
      : openRateLimits({ settings: config.rateLimits, now: realWorld.now, onLimited: measured.limited })
  const operatorKey = toHex(realWorld.randomBytes(32))
  let isDraining = false
  const paths = new Set<string>()
  const routes = new Map([
    ...interfaceRoutes(host, { activities, queries, limits }),
    ...authProxyRoutes(host, { configs: config.authProxy, queries, limits }),
    ...(await serviceRoutes(host, {
      activities,
      queries,
      metricsText: async () =>
        measured.text({}) + delivered.text(await store.errandCounts(), realWorld.now()),
      isReady: () => !isDraining,
    })),
    ...(inbox === undefined ? [] : inboxRoutes(inbox)),
    ...operatorRoutes(operatorKey, async (order) => {
      const answer = await carryOutOrder(store, order, realWorld.now())
      delivery?.wake()
      return answer
    }),
  ])
  for (const name of routes.keys()) paths.add(name.slice(name.indexOf(' ') + 1))
  const onBug = (bug: unknown, incidentId?: string): void => {
    measured.bug()
    log('error', 'bug', {
      ...(incidentId === undefined ? {} : { incidentId }),
      detail: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug),
    })
  }
  const server = httpServer({
    routes,
    world: realWorld,
    isTrustedProxy: trustedProxies(config.trustedProxies),
    onForwarded: warnOfForwarding(log, config.trustedProxies),
    onBug,
    onAnswered: ({ path, status, seconds }) =>
      measured.answered({ route: paths.has(path) ? path : 'none', status, seconds }),
  })
  try {
    await listen(server, { host: config.host, port: config.port, backlog: 1024 })
  } catch (error) {
    // The vault would keep this process alive, which could not say that it has failed.
    await store.close()
    vault.close()
    throw error
  }
  // Without its vault the host can answer nothing; whoever started it starts it again.
  void vault.ended.then(() => {
    if (isDraining) return
    log('error', 'vault ended', {})
    process.exit(1)
  })
  delivery = startDelivering({
    host,
    outbound,
    config: config.delivery,
    inbox,
    measured: delivered,
    onBug: (bug) => onBug(bug),
  })
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  // The other engine lets the command line in beside the service.
  if (store.engine === 'sqlite') writeOperatorFile(config, { url, key: operatorKey })
  log('info', 'listening', { url, store: store.engine, secp256k1, vaultPid: vault.pid, pid: process.pid })
  return {
    host,
    url,
    vault,
    drain: async () => {
      isDraining = true
      await Promise.all([drained(server), delivery.stop()])
      outbound.close()
      if (store.engine === 'sqlite') removeOperatorFile(config)
      await store.close()
      vault.close()
      await vault.ended
      log('info', 'drained', {})
    },
  }
}

function drained(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // A connection that sends nothing, or its request byte by byte, is not waited for any longer.
    setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX).unref()
  })
}
