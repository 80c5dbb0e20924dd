/** Beyond this two sets of times are told apart: the bound of the usual test for leaks (TVLA, dudect). */
const T_MAX = 4.5

/**
 * Shares of the quickest samples that are looked at: pauses of the machine hide a small difference in the slow ones.
 */
const SHARES = [1, 0.9, 0.75, 0.5] as const

export type Comparison = {
  /** Welch's t for each share of the samples, all of them first. */
  readonly t: readonly number[]
  /** Of each kind. */
  readonly samples: number
  /** Microseconds. */
  readonly medians: readonly [number, number]
}

/** Samples in microseconds. */
export function compared(a: readonly number[], b: readonly number[]): Comparison {
  const all = [...a, ...b].toSorted((x, y) => x - y)
  return {
    t: SHARES.map((share) => {
      const bound = all[Math.floor(all.length * share)] ?? Number.POSITIVE_INFINITY
      const quick = (times: readonly number[]) => times.filter((time) => time < bound)
      return welch(quick(a), quick(b))
    }),
    samples: Math.min(a.length, b.length),
    medians: [median(a), median(b)],
  }
}

export function isToldApart({ t }: Comparison): boolean {
  return t.some((item) => !(Math.abs(item) < T_MAX))
}

export function shownComparison({ t, samples, medians }: Comparison): string {
  const shares = t.map((item, index) => `${item.toFixed(2)} (${(SHARES[index] ?? 0) * 100} %)`)
  const [a, b] = medians.map((time) => time.toFixed(1))
  return `t ${shares.join(', ')} of ${samples} samples each; medians ${a} and ${b} µs`
}

function welch(a: readonly number[], b: readonly number[]): number {
  const [one, other] = [moments(a), moments(b)]
  return (one.mean - other.mean) / Math.sqrt(one.variance / a.length + other.variance / b.length)
}

function moments(times: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0)
  return { mean, variance: squares / (times.length - 1) }
}

function median(times: readonly number[]): number {
  return times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)] ?? 0
}
