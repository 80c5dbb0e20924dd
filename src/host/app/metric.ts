/** A metric in the text format of Prometheus (version 0.0.4): each value with its labels before it. */
export function metric(
  name: string,
  type: 'counter' | 'gauge' | 'summary' | 'histogram',
  help: string,
  values: readonly string[],
): string {
  const full = `claviger_${name}`
  const lines = [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...values.map((value) => full + value)]
  return `${lines.join('\n')}\n`
}

/** How often something has happened, by its labels. */
export class Counter {
  readonly #counts = new Map<string, number>()

  add(labels: string): void {
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1)
  }

  values(): readonly string[] {
    return [...this.#counts].map(([labels, count]) => `{${labels}} ${count}`)
  }
}

/** How often something has happened and how long it has taken together, by its labels. */
export class Summary {
  readonly #sums = new Map<string, { count: number; seconds: number }>()

  add(labels: string, seconds: number): void {
    const sum = this.#sums.get(labels)
    if (sum === undefined) this.#sums.set(labels, { count: 1, seconds })
    else {
      sum.count += 1
      sum.seconds += seconds
    }
  }

  values(): readonly string[] {
    return [...this.#sums].flatMap(([labels, { count, seconds }]) => [
      `_sum{${labels}} ${seconds}`,
      `_count{${labels}} ${count}`,
    ])
  }
}
