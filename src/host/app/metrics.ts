import { Counter, metric } from './metric.ts'

/** What was answered, in the text format of Prometheus (version 0.0.4). */
type Metrics = {
  readonly answered: (call: {
    readonly route: string
    readonly status: number
    readonly seconds: number
  }) => void
  readonly bug: () => void
  /** @param kind  the kind of the limit: `address`, `contact` and so on */
  readonly limited: (kind: string) => void
  readonly text: () => string
}

const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Series = { count: number; sum: number; readonly buckets: number[] }

export function metrics(): Metrics {
  const requests = new Counter()
  const durations = new Map<string, Series>()
  const limited = new Counter()
  let bugs = 0
  return {
    answered: ({ route, status, seconds }) => {
      requests.add(`route="${route}",status="${status}"`)
      const series = durations.get(route) ?? { count: 0, sum: 0, buckets: BUCKETS.map(() => 0) }
      durations.set(route, series)
      series.count++
      series.sum += seconds
      // Only the smallest fitting bucket is counted here; the buckets are added up in the output.
      const fits = BUCKETS.findIndex((bound) => seconds <= bound)
      if (fits >= 0) series.buckets[fits] = (series.buckets[fits] ?? 0) + 1
    },
    bug: () => {
      bugs++
    },
    limited: (kind) => limited.add(`kind="${kind}"`),
    text: () =>
      [
        metric(
          'requests_total',
          'counter',
          'Requests answered, by route and HTTP status.',
          requests.values(),
        ),
        metric(
          'request_seconds',
          'histogram',
          'Time from the first byte of a request to its answer.',
          [...durations].flatMap(([route, series]) => histogram(route, series)),
        ),
        metric('bugs_total', 'counter', 'Requests answered 500 because of a bug.', [` ${bugs}`]),
        metric(
          'limited_requests_total',
          'counter',
          'Requests answered 429, by the limit that was reached.',
          limited.values(),
        ),
      ].join(''),
  }
}

function histogram(route: string, { count, sum, buckets }: Series): readonly string[] {
  let upTo = 0
  const lines = BUCKETS.map((bound, index) => {
    upTo += buckets[index] ?? 0
    return `_bucket{route="${route}",le="${bound}"} ${upTo}`
  })
  return [
    ...lines,
    `_bucket{route="${route}",le="+Inf"} ${count}`,
    `_sum{route="${route}"} ${sum}`,
    `_count{route="${route}"} ${count}`,
  ]
}
