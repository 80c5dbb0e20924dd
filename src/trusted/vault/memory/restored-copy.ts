import type { Ms } from '../../base/world.ts'
import { requestBeforeRestore, waitedBeforeRestore } from '../failures.ts'
import { AHEAD_MAX_MS } from './request-age.ts'

/**
 * The fact that a store was restored from a copy. Activities after the copy are lost, and their requests would be
 * carried out again if they were repeated.
 */
export type Restored = {
  /** When the copy was made. */
  readonly copiedAt: Ms
  /** The time until which the lost store may have served requests. */
  readonly lostAt: Ms
}

/** The text that the vault proves about a restore. */
export function restoredText({ copiedAt, lostAt }: Restored): string {
  return `restored from a copy of ${copiedAt}, lost at ${lostAt}`
}

/** The restore in a proven text; undefined for the texts of other root proofs, which begin differently. */
export function readRestored(text: string): Restored | undefined {
  const [, copiedAt, lostAt] = /^restored from a copy of (\d{1,15}), lost at (\d{1,15})$/.exec(text) ?? []
  return copiedAt === undefined || lostAt === undefined
    ? undefined
    : { copiedAt: Number(copiedAt), lostAt: Number(lostAt) }
}

/** The newest restore that this vault knows. It is kept as long as the process; the host reports it at each start. */
export class RestoredCopies {
  #lostAt: Ms | undefined

  note({ lostAt }: Restored): void {
    this.#lostAt = Math.max(this.#lostAt ?? 0, lostAt)
  }

  /**
   * Refuses a request without a record that the lost store may have carried out. The lost store accepted requests from
   * some minutes ahead of its clock.
   *
   * @throws Failure `requestBeforeRestore`
   */
  checkRequest(timestampMs: Ms): void {
    if (this.#lostAt === undefined) return
    const until = this.#lostAt + AHEAD_MAX_MS
    if (timestampMs <= until) throw requestBeforeRestore({ timestampMs, until })
  }

  /**
   * Refuses to approve a waiting record that may have been carried out before the store was lost.
   *
   * @throws Failure `waitedBeforeRestore`
   */
  checkWaiting({ createdAt }: { readonly createdAt: Ms }): void {
    if (this.#lostAt !== undefined && createdAt <= this.#lostAt) throw waitedBeforeRestore()
  }
}
