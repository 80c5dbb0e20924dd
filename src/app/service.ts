import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { activities } from '../activities/list.ts'
import { realWorld } from '../base/real-world.ts'
import { openIssuerKeys } from '../delivery/issuer-keys.ts'
import { openOutbound } from '../delivery/outbound.ts'
import { httpServer } from '../http/server.ts'
import { interfaceRoutes } from '../http/routes.ts'
import { serviceRoutes } from '../http/service-routes.ts'
import type { Host } from '../pipeline/host.ts'
import { openHost } from '../pipeline/open-host.ts'
import { queries } from '../queries/list.ts'
import { openPostgres } from '../store/postgres.ts'
import { openSqlite } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { metrics } from './metrics.ts'
import { outsideOf } from './outside.ts'
import { proveRootKey } from './root-proof.ts'
import { spawnVault, type SpawnedVault } from './spawn-vault.ts'

const DRAIN_MS_MAX = 10_000

export type Service = {
  readonly host: Host
  readonly url: string
  readonly vault: SpawnedVault
  /** Takes no new requests, answers those under way, and ends the vault. */
  readonly drain: () => Promise<void>
}

/** Opens the store and the vault, sees that they belong together, and hands out the host; without a socket yet. */
export async function openService(config: Config): Promise<{
  readonly host: Host
  readonly vault: SpawnedVault
  readonly store: Store
  readonly secp256k1: string
}> {
  const store = await openStore(config)
  try {
    const vault = spawnVault({
      rootKeyPath: config.rootKeyPath,
      ...(config.passphrasePath === undefined ? {} : { passphrasePath: config.passphrasePath }),
      ...(config.passphrase === undefined ? {} : { passphrase: config.passphrase }),
    })
    try {
      const { secp256k1 } = await vault.ready
      await proveRootKey(store, vault.vault, realWorld)
      const outbound = openOutbound({ allowPrivate: false })
      return {
        host: openHost({
          store,
          vault: vault.vault,
          world: realWorld,
          activities,
          outside: outsideOf({ outbound, issuerKeys: openIssuerKeys({ outbound, now: realWorld.now }) }),
          onCommitted: () => {},
        }),
        vault,
        store,
        secp256k1,
      }
    } catch (error) {
      vault.close()
      throw error
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The whole service on its socket. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const { host, vault, store, secp256k1 } = await openService(config)
  const measured = metrics()
  let isDraining = false
  const paths = new Set<string>()
  const routes = new Map([
    ...interfaceRoutes(host, { activities, queries }),
    ...(await serviceRoutes(host, {
      activities,
      queries,
      metricsText: () => measured.text({}),
      isReady: () => !isDraining,
    })),
  ])
  for (const name of routes.keys()) paths.add(name.slice(name.indexOf(' ') + 1))
  const server = httpServer({
    routes,
    world: realWorld,
    isTrustedProxy: () => false,
    onBug: (bug, incidentId) => {
      measured.bug()
      log('error', 'bug', {
        incidentId,
        detail: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug),
      })
    },
    onAnswered: ({ path, status, seconds }) =>
      measured.answered({ route: paths.has(path) ? path : 'none', status, seconds }),
  })
  try {
    await listen(server, config)
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
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  log('info', 'listening', { url, store: store.engine, secp256k1, vaultPid: vault.pid, pid: process.pid })
  return {
    host,
    url,
    vault,
    drain: async () => {
      isDraining = true
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        // A connection that sends nothing, or its request byte by byte, is not waited for any longer.
        setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX).unref()
      })
      await store.close()
      vault.close()
      await vault.ended
      log('info', 'drained', {})
    },
  }
}

async function openStore(config: Config): Promise<Store> {
  if (config.databaseUrl !== undefined) return await openPostgres({ url: config.databaseUrl })
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
  return openSqlite({ path: join(config.dataFolder, 'claviger.db') })
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1024 }, () => resolve())
  })
}
