import { realWorld } from '../../trusted/base/real-world.ts'
import { rotationMetrics } from './rotation-metrics.ts'
import type { ServiceParts } from './service-parts.ts'
import { storeMetrics } from './store-metrics.ts'

/** All metrics of a service, in the text format of Prometheus (version 0.0.4). */
export async function metricsText({ store, observed, running }: ServiceParts): Promise<string> {
  const { machine, requests, work, deliveries, jobCounts } = observed
  const { quotaWatch, rotation } = running
  const measured =
    machine.text() +
    requests.text() +
    work.text() +
    storeMetrics(store.load()) +
    (quotaWatch?.text() ?? '') +
    (rotation === undefined ? '' : rotationMetrics(rotation.progress()))
  const counts = await jobCounts()
  return counts === undefined ? measured : measured + deliveries.text(counts, realWorld.now())
}
