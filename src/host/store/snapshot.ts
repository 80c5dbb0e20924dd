import type { Scan } from './scan.ts'

/** A store in its state at one instant, read while other work continues. */
export type Snapshot = {
  readonly scan: Scan
  /** The highest number that any job has had: later jobs must not have it again. */
  readonly lastJob: number
}
