import type { Measure, Taken } from './measures.ts'

/** One of those that are measured in turn. */
export type Side = {
  readonly name: string
  /** Undefined where it has nothing to compare a measure with. */
  readonly take: (measure: Measure) => Promise<Taken> | undefined
  readonly megabytes: () => number
  readonly stop: () => Promise<void>
}
