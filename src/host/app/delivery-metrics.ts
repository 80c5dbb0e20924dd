import type { Ms } from '../../trusted/base/world.ts'
import type { Ending } from '../delivery/attempt-job.ts'
import type { Job, Store } from '../store/store.ts'
import { metric } from './metric.ts'

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
  const attempts = new Map<string, number>()
  const durations = new Map<Job['kind'], { count: number; seconds: number }>()
  return {
    ended: ({ kind, ending, seconds }) => {
      const labels = `kind="${kind}",ending="${ending}"`
      attempts.set(labels, (attempts.get(labels) ?? 0) + 1)
      const duration = durations.get(kind) ?? { count: 0, seconds: 0 }
      durations.set(kind, { count: duration.count + 1, seconds: duration.seconds + seconds })
    },
    text: (counts, now) =>
      [
        ...metric(
          'delivery_attempts_total',
          'counter',
          'Attempts to deliver, by how they ended.',
          [...attempts].map(([labels, count]) => `{${labels}} ${count}`),
        ),
        ...metric(
          'delivery_attempt_seconds',
          'summary',
          'Duration of an attempt, including the wait for a free slot.',
          [...durations].flatMap(([kind, { count, seconds }]) => [
            `_sum{kind="${kind}"} ${seconds}`,
            `_count{kind="${kind}"} ${count}`,
          ]),
        ),
        ...metric(
          'deliveries_waiting',
          'gauge',
          'Messages and webhooks that wait for delivery, counted up to 10000.',
          counts.map(({ kind, waiting }) => `{kind="${kind}"} ${waiting}`),
        ),
        ...metric(
          'deliveries_dead',
          'gauge',
          'Messages and webhooks whose delivery has failed for good (dead letters), counted up to 10000.',
          counts.map(({ kind, dead }) => `{kind="${kind}"} ${dead}`),
        ),
        ...metric(
          'deliveries_oldest_seconds',
          'gauge',
          'Waiting time of the oldest; 0 when none waits.',
          counts.map(
            ({ kind, oldestAt }) =>
              `{kind="${kind}"} ${oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000}`,
          ),
        ),
        '',
      ].join('\n'),
  }
}
