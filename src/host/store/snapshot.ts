import type { Scan } from './scan.ts'

/** A store as it stood at one instant, read beside whatever goes on. */
export type Snapshot = {
  readonly scan: Scan
  /** The highest number that a job has ever had: none after it may have it again. */
  readonly lastJob: number
}
