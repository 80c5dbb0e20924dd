import type { Server } from 'node:http'
import { activities } from '../../trusted/activities/list.ts'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { carryOutOrder, readOrder } from '../delivery/operator-commands.ts'
import type { Inbox } from '../delivery/inbox.ts'
import type { Delivery } from '../delivery/runner.ts'
import type { Repeated } from '../outside/repeated.ts'
import { realTimers } from '../outside/timers.ts'
import { authProxyRoutes } from '../auth-proxy/routes.ts'
import { inboxRoutes } from '../http/inbox-routes.ts'
import { type ChangeStreams, openChangeStreams } from '../http/changes/change-streams.ts'
import { streamRoutes } from '../http/changes/stream-routes.ts'
import { OPERATOR_PATH, orderRoutes, QUOTA_PATH, ROTATION_PATH } from '../http/operator-routes.ts'
import { operatorPageRoutes } from '../http/operator-page-routes.ts'
import { OPERATOR_STYLE, operatorPage } from './operator-page.ts'
import { openRateLimits } from '../http/rate-limits.ts'
import { carryOutQuotas, readQuotaOrder } from '../quotas/quota-orders.ts'
import { carryOutRotation, readRotationOrder } from '../rotation/rotation-orders.ts'
import type { Rotation } from '../rotation/rotation.ts'
import { rotationMetrics } from './rotation-metrics.ts'
import { startRotating } from './rotating.ts'
import { interfaceRoutes } from '../http/routes.ts'
import type { AnsweredCall } from '../http/server.ts'
import { healthRoutes, serviceRoutes } from '../http/service-routes.ts'
import { warnOfForwarding } from './warn-of-forwarding.ts'
import type { Host } from '../pipeline/host.ts'
import { partInOutage } from '../pipeline/part-in-outage.ts'
import { queries } from '../queries/list.ts'
import { startAuditing } from './auditing.ts'
import type { Config } from './config.ts'
import { tellClosedArchives } from './tell-closed-archives.ts'
import { startDelivering } from './delivering.ts'
import { deliveryMetrics } from './delivery-metrics.ts'
import { drained, lameDuck, closedOrTimedOut } from './drain.ts'
import type { Log } from './log.ts'
import { metrics } from './metrics.ts'
import { startCountingHeartbeats } from './counting-heartbeats.ts'
import { startNotingUses } from './noting-uses.ts'
import { startWatchingQuotas } from './watching-quotas.ts'
import { packageVersion } from './package-version.ts'
import { processMetrics, storeFilesIn } from './process-metrics.ts'
import { storeMetrics } from './store-metrics.ts'
import { measuredHost, workMetrics } from './work-metrics.ts'
import { openService } from './open-service.ts'
import { openPorts } from './ports.ts'
import { removeOperatorFile, writeOperatorFile } from './operator-file.ts'
import { type RequestLog, requestLogOf } from './request-log.ts'
import { requestLine, UNKNOWN_ROUTE } from './request-line.ts'
import { tracedDelivery, tracedRequest } from './traced.ts'
import { type Tracing, tracingTo } from './tracing.ts'
import { outages } from './outages.ts'
import { partChecks, readiness } from './readiness.ts'
import { WrongRootKey } from '../rotation/root-proof.ts'
import { refuseSlowSecp256k1 } from './secp256k1-trouble.ts'
import { sharedAnswer } from '../http/shared-answer.ts'
import type { RunningVault } from '../link/running-vault.ts'
import { consoleFolder } from './console-folder.ts'
import { EmptyStore } from './empty-store.ts'

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
  let delivery: Delivery | undefined
  let rotation: Rotation | undefined
  let quotaWatch: ReturnType<typeof startWatchingQuotas> | undefined
  let streams: ChangeStreams | undefined
  const committed = (organizationId: string): void => {
    delivery?.wake()
    streams?.changed(organizationId)
  }
  let notTaken: string | undefined
  const onNotTaken = (error: unknown): void => {
    if (!(error instanceof WrongRootKey)) return onTrouble(error)
    // The attempts continue, and repeated failures are not news until the right vault comes.
    if (notTaken !== error.message) log('error', 'vault not accepted', { detail: error.message })
    notTaken = error.message
  }
  const opened = await openService(config, committed, started, onNotTaken)
  const { vault, store, outbound, secp256k1 } = opened
  const worked = workMetrics()
  const host = measuredHost(opened.host, worked)
  const closeAll = async (): Promise<void> => {
    outbound.close()
    await closedOrTimedOut(store.close())
    await vault.end()
  }
  const measured = metrics()
  const delivered = deliveryMetrics()
  const machine = processMetrics({
    build: { version: packageVersion(), store: store.engine, secp256k1 },
    dataFolder: config.dataFolder,
    storeFiles: store.engine === 'sqlite' ? storeFilesIn(config.dataFolder) : [],
  })
  const limits =
    config.rateLimits === undefined
      ? undefined
      : openRateLimits({ settings: config.rateLimits, world: realWorld, onLimited: measured.limited })
  const operatorKey = toHex(realWorld.randomBytes(32))
  let isDraining = false
  const checks = partChecks({ store, vault: vault.vault, archives: host.archives })
  const out = outages({ log, now: realWorld.now, timers: realTimers, checks })
  const jobCounts = sharedAnswer(() => store.jobCounts(), { timers: realTimers, freshMs: 1_000 })
  const onBug = (bug: unknown, incidentId?: string): void => {
    measured.bug()
    log('error', 'bug', {
      ...(incidentId === undefined ? {} : { incidentId }),
      detail: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug),
    })
  }
  // An outage is checked when metrics are read.
  const deliveriesText = async (): Promise<string> => {
    const counts = await jobCounts().catch(unlessInOutage)
    return counts === undefined ? '' : delivered.text(counts, realWorld.now())
  }
  const onTrouble = (error: unknown): void => {
    const part = partInOutage(error)
    if (part === undefined) onBug(error)
    else out.met(part, error)
  }
  const servers: Server[] = []
  let requestLog: RequestLog | undefined
  let tracing: Tracing | undefined
  try {
    refuseSlowSecp256k1(secp256k1, config.allowSlowSecp256k1)
    requestLog = requestLogOf(config.requestLog, log)
    tracing = await tracingTo(config.traces, log)
    if (!allowEmpty && (await store.isEmpty())) throw new EmptyStore(config)
    streams = openChangeStreams(host, {
      world: realWorld,
      timers: realTimers,
      newEpoch: () => toHex(realWorld.randomBytes(8)),
      onTrouble,
    })
    const health = {
      metricsText: async () =>
        machine.text() +
        measured.text() +
        worked.text() +
        storeMetrics(store.load()) +
        (quotaWatch?.text() ?? '') +
        (rotation === undefined ? '' : rotationMetrics(rotation.progress())) +
        (await deliveriesText()),
      readiness: () => readiness(checks, { isDraining, isOut: out.isOut }),
    }
    const routes = new Map([
      ...interfaceRoutes(host, { activities, queries, limits }),
      ...streamRoutes(host, streams, limits),
      ...authProxyRoutes(host, { configs: config.authProxy, queries, limits }),
      ...(await serviceRoutes(host, {
        ...health,
        limits,
        isWatchedElsewhere: config.operator.port !== undefined,
        console: config.console === 'on' ? consoleFolder.path : undefined,
      })),
      ...(inbox === undefined ? [] : inboxRoutes(inbox)),
      ...orderRoutes(operatorKey, {
        path: OPERATOR_PATH,
        read: readOrder,
        carryOut: async (order) => {
          const answer = await carryOutOrder(store, order, realWorld.now())
          delivery?.wake()
          return answer
        },
      }),
      ...orderRoutes(operatorKey, {
        path: QUOTA_PATH,
        read: readQuotaOrder,
        carryOut: (order) => carryOutQuotas(store, order, realWorld.now()),
      }),
      ...orderRoutes(operatorKey, {
        path: ROTATION_PATH,
        read: readRotationOrder,
        carryOut: async (order) => {
          const self = rotation?.self()
          const asked = { now: realWorld.now(), self, vault: vault.vault }
          const answer = await carryOutRotation(store, order, asked)
          rotation?.wake()
          return answer
        },
      }),
    ])
    const watching = new Map([
      ...healthRoutes(health),
      ...operatorPageRoutes({
        style: OPERATOR_STYLE,
        page: async (languages) => {
          const ready = await health.readiness()
          const facts = {
            notReady: ready.kind === 'error' ? ready.error.message : undefined,
            doesVaultAnswer: await checks.vault(),
            version: packageVersion(),
            engine: store.engine,
            ...machine.room(),
            jobs: await jobCounts().catch(unlessInOutage),
            rotation: rotation?.progress(),
            now: realWorld.now(),
          }
          return operatorPage(facts, languages)
        },
      }),
    ])
    const paths = new Set(
      [...routes.keys(), ...watching.keys()].map((name) => name.slice(name.indexOf(' ') + 1)),
    )
    const answers = {
      routes,
      operatorRoutes: watching,
      limits,
      signerKey: async () => (await host.vault.serviceKeys()).signer,
      onTrouble,
      server: {
        world: realWorld,
        onForwarded: warnOfForwarding(log, config.trustedProxies),
        isDraining: () => isDraining,
        onOutage: out.met,
        onBug,
        watches: requestLog !== undefined || tracing !== undefined,
        tellsStages: tracing !== undefined,
        onAnswered: (call: AnsweredCall) => {
          const route = paths.has(call.path) ? call.path : UNKNOWN_ROUTE
          measured.answered({ route, status: call.status, seconds: call.seconds })
          if (call.status === 401) worked.unauthenticated(call.error?.turnkeyErrorCode ?? 'none')
          if (HEALTH_ROUTES.includes(route)) return
          requestLog?.note(requestLine(call, route, realWorld.now()))
          tracing?.note(tracedRequest(call, route, realWorld.now()))
        },
      },
    }
    const { url, consoleUrl, framesUrl, operatorUrl, connectionsMax } = await openPorts(
      config,
      answers,
      servers,
    )
    // The other engine permits the command line beside the service.
    if (store.engine === 'sqlite') writeOperatorFile(config, { url, key: operatorKey })
    // Without its vault the host cannot answer; the operator's supervisor starts it again.
    void vault.ended.then((by) => {
      if (isDraining) return
      log('error', 'vault ended', { by })
      process.exit(1)
    })
    const auditing = await startAuditing(store, {
      ...config.audit,
      world: realWorld,
      timers: realTimers,
      log,
      onTrouble,
    })
    delivery = startDelivering({
      host,
      audit: config.audit.target,
      outbound,
      config: config.delivery,
      rateLimits: config.rateLimits,
      inbox,
      onEnded: (carried) => {
        delivered.ended(carried)
        tracing?.note(tracedDelivery(carried, realWorld.now()))
      },
      onBug: onTrouble,
    })
    rotation = startRotating({ store, vault: vault.vault, log, onTrouble })
    quotaWatch = startWatchingQuotas({ store, world: realWorld, timers: realTimers, onTrouble })
    const background = [
      ...(auditing === undefined ? [] : [auditing]),
      startCountingHeartbeats({ host, world: realWorld, timers: realTimers, onTrouble }),
      startNotingUses({ uses: host.uses, timers: realTimers, onTrouble }),
      quotaWatch,
    ]
    if (host.archives !== undefined) void tellClosedArchives(host.archives, log).catch(onTrouble)
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
    return { host, url, consoleUrl, drain: drainOf({ delivery, streams, rotation, background }) }
  } catch (error) {
    // Half a service would keep this process alive, and its supervisor would take it for a working one.
    streams?.close()
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    await closeAll()
    throw error
  }

  function drainOf(running: {
    readonly delivery: Delivery
    readonly streams: ChangeStreams
    readonly rotation: Rotation
    readonly background: readonly Pick<Repeated, 'stop'>[]
  }): () => Promise<void> {
    return async () => {
      isDraining = true
      log('info', 'draining', { seconds: config.drainMs / 1_000 })
      await lameDuck(config.drainMs)
      running.streams.close()
      await Promise.all([...servers.map(drained), running.delivery.stop(), running.rotation.stop()])
      const rest = [...running.background.map((work) => work.stop()), requestLog?.close(), tracing?.close()]
      // Together: where the database hangs, a time for each would be longer than a supervisor waits.
      await closedOrTimedOut(Promise.all(rest))
      machine.end()
      if (store.engine === 'sqlite') removeOperatorFile(config)
      await closeAll()
      log('info', 'drained', {})
    }
  }
}

function unlessInOutage(error: unknown): undefined {
  if (partInOutage(error) === undefined) throw error
}

/** These requests belong to no organization, and there are many. */
const HEALTH_ROUTES = ['/healthz', '/readyz', '/metrics']
