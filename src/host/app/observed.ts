import { realWorld } from '../../trusted/base/real-world.ts'
import { sharedAnswer } from '../http/shared-answer.ts'
import { realTimers } from '../outside/timers.ts'
import { partInOutage } from '../pipeline/part-in-outage.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { deliveryMetrics } from './delivery-metrics.ts'
import type { Log } from './log.ts'
import { metrics } from './metrics.ts'
import type { OpenedService } from './open-service.ts'
import { outages } from './outages.ts'
import { packageVersion } from './package-version.ts'
import { processMetrics, storeFilesIn } from './process-metrics.ts'
import { partChecks } from './readiness.ts'
import { workMetrics } from './work-metrics.ts'

type JobCounts = Awaited<ReturnType<Store['jobCounts']>>

/** What is measured and checked of a running service, and where its troubles are told. */
export type Observed = {
  readonly requests: ReturnType<typeof metrics>
  readonly work: ReturnType<typeof workMetrics>
  readonly deliveries: ReturnType<typeof deliveryMetrics>
  readonly machine: ReturnType<typeof processMetrics>
  readonly checks: ReturnType<typeof partChecks>
  readonly outages: ReturnType<typeof outages>
  /** Undefined in an outage, which is told elsewhere. */
  readonly jobCounts: () => Promise<JobCounts | undefined>
  readonly onBug: (bug: unknown, incidentId?: string) => void
  /** A bug, or an outage of a part. */
  readonly onTrouble: (error: unknown) => void
}

export function observe(
  config: Config,
  log: Log,
  { host, vault, store, secp256k1 }: OpenedService,
): Observed {
  const requests = metrics()
  const checks = partChecks({ store, vault: vault.vault, archives: host.archives })
  const parts = outages({ log, now: realWorld.now, timers: realTimers, checks })
  const counts = sharedAnswer(() => store.jobCounts(), { timers: realTimers, freshMs: 1_000 })
  const onBug = (bug: unknown, incidentId?: string): void => {
    requests.bug()
    log('error', 'bug', {
      ...(incidentId === undefined ? {} : { incidentId }),
      detail: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug),
    })
  }
  return {
    requests,
    work: workMetrics(),
    deliveries: deliveryMetrics(),
    machine: processMetrics({
      build: { version: packageVersion(), store: store.engine, secp256k1 },
      dataFolder: config.dataFolder,
      storeFiles: store.engine === 'sqlite' ? storeFilesIn(config.dataFolder) : [],
    }),
    checks,
    outages: parts,
    jobCounts: () => counts().catch(unlessInOutage),
    onBug,
    onTrouble: (error) => {
      const part = partInOutage(error)
      if (part === undefined) onBug(error)
      else parts.met(part, error)
    },
  }
}

function unlessInOutage(error: unknown): undefined {
  if (partInOutage(error) === undefined) throw error
}
