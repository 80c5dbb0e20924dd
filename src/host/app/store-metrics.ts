import type { StoreLoad } from '../store/store.ts'
import { metric } from './metric.ts'

/** The number of units in a commit, and of requests that wait for a connection. */
export function storeMetrics({ commits, pools }: StoreLoad): string {
  return [
    metric(
      'commit_batch_units',
      'summary',
      'Units that were written together: their number, and in how many commits.',
      [`_sum ${commits.units}`, `_count ${commits.batches}`],
    ),
    metric(
      'pool_connections',
      'gauge',
      'Connections to PostgreSQL, by purpose: those in use, and the idle ones.',
      pools.flatMap(({ pool, used, idle }) => [
        `{pool="${pool}",state="used"} ${used}`,
        `{pool="${pool}",state="idle"} ${idle}`,
      ]),
    ),
    metric(
      'pool_waiting',
      'gauge',
      'Reads and writes that wait for a connection to PostgreSQL, because others have all of them.',
      pools.map(({ pool, waiting }) => `{pool="${pool}"} ${waiting}`),
    ),
  ].join('')
}
