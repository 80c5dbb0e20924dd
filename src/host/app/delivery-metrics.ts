import type { Ms } from '../../trusted/base/world.ts'
import type { Ending } from '../delivery/attempt-job.ts'
import type { Job, Store } from '../store/store.ts'
import { Counter, metric, Summary } from './metric.ts'

/** The metrics of jobs, in the text format of Prometheus (version 0.0.4). */
type DeliveryMetrics = {
  readonly ended: (carried: {
    readonly kind: Job['kind']
    readonly ending: Ending
    readonly seconds: number
  }) => void
  readonly text: (counts: Awaited<ReturnType<Store['jobCounts']>>, now: Ms) => string
}

export function deliveryMetrics(): DeliveryMetrics {
  const attempts = new Counter()
  const durations = new Summary()
  return {
    ended: ({ kind, ending, seconds }) => {
      attempts.add(`kind="${kind}",ending="${ending}"`)
      durations.add(`kind="${kind}"`, seconds)
    },
    text: (counts, now) =>
      [
        metric(
          'delivery_attempts_total',
          'counter',
          'Attempts to deliver, by how they ended.',
          attempts.values(),
        ),
        metric(
          'delivery_attempt_seconds',
          'summary',
          'Duration of an attempt, including the wait for a free slot.',
          durations.values(),
        ),
        metric(
          'deliveries_waiting',
          'gauge',
          'Messages and webhooks that wait for delivery, counted up to 10000.',
          counts.map(({ kind, waiting }) => `{kind="${kind}"} ${waiting}`),
        ),
        metric(
          'deliveries_dead',
          'gauge',
          'Messages and webhooks whose delivery has failed for good (dead letters), counted up to 10000.',
          counts.map(({ kind, dead }) => `{kind="${kind}"} ${dead}`),
        ),
        metric(
          'deliveries_oldest_seconds',
          'gauge',
          'Waiting time of the oldest; 0 when none waits.',
          counts.map(
            ({ kind, oldestAt }) =>
              `{kind="${kind}"} ${oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000}`,
          ),
        ),
      ].join(''),
  }
}
