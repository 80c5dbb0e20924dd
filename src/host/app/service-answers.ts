import { activities } from '../../trusted/activities/list.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { authProxyRoutes } from '../auth-proxy/routes.ts'
import type { ChangeStreams } from '../http/changes/change-streams.ts'
import { streamRoutes } from '../http/changes/stream-routes.ts'
import { inboxRoutes } from '../http/inbox-routes.ts'
import { operatorPageRoutes } from '../http/operator-page-routes.ts'
import { openRateLimits, type RateLimits } from '../http/rate-limits.ts'
import type { Answer, Route } from '../http/route.ts'
import { interfaceRoutes } from '../http/routes.ts'
import { healthRoutes, serviceRoutes } from '../http/service-routes.ts'
import { queries } from '../queries/list.ts'
import { answeredCalls } from './answered-calls.ts'
import { consoleFolder } from './console-folder.ts'
import { metricsText } from './metrics-text.ts'
import { operatorOrders } from './operator-orders.ts'
import { OPERATOR_STYLE, operatorPage } from './operator-page.ts'
import { packageVersion } from './package-version.ts'
import type { Answers } from './ports.ts'
import { readiness } from './readiness.ts'
import type { ServiceParts } from './service-parts.ts'
import { warnOfForwarding } from './warn-of-forwarding.ts'

/** What the ports of a service answer, and whom they tell of it. */
export async function serviceAnswers(
  parts: ServiceParts,
  { streams, operatorKey }: { readonly streams: ChangeStreams; readonly operatorKey: string },
): Promise<Answers> {
  const { config, log, host, observed, running } = parts
  const limits = limitsOf(parts)
  const health: Health = {
    metricsText: () => metricsText(parts),
    readiness: () =>
      readiness(observed.checks, { isDraining: running.isDraining, isOut: observed.outages.isOut }),
  }
  const routes = new Map([
    ...(await publicRoutes(parts, { streams, limits, health })),
    ...operatorOrders(parts, operatorKey),
  ])
  const operatorRoutes = new Map([...healthRoutes(health), ...statusRoutes(parts, health)])
  return {
    routes,
    operatorRoutes,
    limits,
    signerKey: async () => (await host.vault.serviceKeys()).signer,
    onTrouble: observed.onTrouble,
    server: {
      world: realWorld,
      onForwarded: warnOfForwarding(log, config.trustedProxies),
      isDraining: () => running.isDraining,
      onOutage: observed.outages.met,
      onBug: observed.onBug,
      watches: running.requestLog !== undefined || running.tracing !== undefined,
      tellsStages: running.tracing !== undefined,
      onAnswered: answeredCalls(parts, [...routes.keys(), ...operatorRoutes.keys()]),
    },
  }
}

type Health = {
  readonly metricsText: () => Promise<string>
  readonly readiness: () => Promise<Answer>
}

function limitsOf({ config, observed }: ServiceParts): RateLimits | undefined {
  const settings = config.rateLimits
  if (settings === undefined) return undefined
  return openRateLimits({ settings, world: realWorld, onLimited: observed.requests.limited })
}

async function publicRoutes(
  { config, host, inbox }: ServiceParts,
  {
    streams,
    limits,
    health,
  }: { readonly streams: ChangeStreams; readonly limits: RateLimits | undefined; readonly health: Health },
): Promise<ReadonlyMap<string, Route>> {
  return new Map([
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
  ])
}

/** The page for the operator. */
function statusRoutes(
  { store, observed, running }: ServiceParts,
  health: Health,
): ReadonlyMap<string, Route> {
  return operatorPageRoutes({
    style: OPERATOR_STYLE,
    page: async (languages) => {
      const ready = await health.readiness()
      const facts = {
        notReady: ready.kind === 'error' ? ready.error.message : undefined,
        doesVaultAnswer: await observed.checks.vault(),
        version: packageVersion(),
        engine: store.engine,
        ...observed.machine.room(),
        jobs: await observed.jobCounts(),
        rotation: running.rotation?.progress(),
        now: realWorld.now(),
      }
      return operatorPage(facts, languages)
    },
  })
}
