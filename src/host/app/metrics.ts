/** Counters and one histogram, in the text format of Prometheus (version 0.0.4). */
type Metrics = {
  readonly answered: (call: {
    readonly route: string
    readonly status: number
    readonly seconds: number
  }) => void
  readonly bug: () => void
  /** @param kind  the kind of the limit: `address`, `contact` and so on */
  readonly limited: (kind: string) => void
  readonly text: (gauges: {
    readonly [name: string]: { readonly help: string; readonly value: number }
  }) => string
}

const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Series = { count: number; sum: number; readonly buckets: number[] }

export function metrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, Series>()
  const limited = new Map<string, number>()
  let bugs = 0
  return {
    answered: ({ route, status, seconds }) => {
      const labels = `route="${route}",status="${status}"`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
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
    limited: (kind) => {
      limited.set(kind, (limited.get(kind) ?? 0) + 1)
    },
    text: (gauges) =>
      [
        '# HELP claviger_requests_total Requests answered, by route and HTTP status.',
        '# TYPE claviger_requests_total counter',
        ...[...requests].map(([labels, count]) => `claviger_requests_total{${labels}} ${count}`),
        '# HELP claviger_request_seconds Time from the first byte of a request to its answer.',
        '# TYPE claviger_request_seconds histogram',
        ...[...durations].flatMap(([route, series]) => histogram(route, series)),
        '# HELP claviger_bugs_total Requests answered 500 because of a bug.',
        '# TYPE claviger_bugs_total counter',
        `claviger_bugs_total ${bugs}`,
        '# HELP claviger_limited_requests_total Requests answered 429, by the limit that was reached.',
        '# TYPE claviger_limited_requests_total counter',
        ...[...limited].map(([kind, count]) => `claviger_limited_requests_total{kind="${kind}"} ${count}`),
        ...Object.entries(gauges).flatMap(([name, { help, value }]) => [
          `# HELP claviger_${name} ${help}`,
          `# TYPE claviger_${name} gauge`,
          `claviger_${name} ${value}`,
        ]),
        '',
      ].join('\n'),
  }
}

function histogram(route: string, { count, sum, buckets }: Series): readonly string[] {
  let upTo = 0
  const lines = BUCKETS.map((bound, index) => {
    upTo += buckets[index] ?? 0
    return `claviger_request_seconds_bucket{route="${route}",le="${bound}"} ${upTo}`
  })
  return [
    ...lines,
    `claviger_request_seconds_bucket{route="${route}",le="+Inf"} ${count}`,
    `claviger_request_seconds_sum{route="${route}"} ${sum}`,
    `claviger_request_seconds_count{route="${route}"} ${count}`,
  ]
}
