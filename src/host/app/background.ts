import { realWorld } from '../../trusted/base/real-world.ts'
import { realTimers } from '../outside/timers.ts'
import { startAuditing } from './auditing.ts'
import { startCountingHeartbeats } from './counting-heartbeats.ts'
import { startDelivering } from './delivering.ts'
import { startNotingUses } from './noting-uses.ts'
import { startRotating } from './rotating.ts'
import type { ServiceParts } from './service-parts.ts'
import { tellClosedArchives } from './tell-closed-archives.ts'
import { tracedDelivery } from './traced.ts'
import { startWatchingQuotas } from './watching-quotas.ts'

/** Starts everything that a service does without being asked. */
export async function startBackground(parts: ServiceParts): Promise<void> {
  const { config, log, host, store, vault, outbound, inbox, observed, running } = parts
  const { onTrouble } = observed
  const means = { world: realWorld, timers: realTimers, onTrouble }
  const auditing = await startAuditing(store, { ...config.audit, ...means, log })
  running.delivery = startDelivering({
    host,
    audit: config.audit.target,
    outbound,
    config: config.delivery,
    rateLimits: config.rateLimits,
    inbox,
    onEnded: (carried) => {
      observed.deliveries.ended(carried)
      running.tracing?.note(tracedDelivery(carried, realWorld.now()))
    },
    onBug: onTrouble,
  })
  running.rotation = startRotating({ store, vault: vault.vault, log, onTrouble })
  running.quotaWatch = startWatchingQuotas({ store, ...means })
  running.background.push(
    ...(auditing === undefined ? [] : [auditing]),
    startCountingHeartbeats({ host, ...means }),
    startNotingUses({ uses: host.uses, ...means }),
    running.quotaWatch,
  )
  if (host.archives !== undefined) void tellClosedArchives(host.archives, log).catch(onTrouble)
}
