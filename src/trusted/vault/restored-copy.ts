import type { Ms } from '../base/world.ts'
import { requestBeforeRestore, waitedBeforeRestore } from './failures.ts'
import { AHEAD_MAX_MS } from './request-age.ts'

/**
 * That a store was restored from a copy. What was acknowledged after the copy was made is lost, and its requests would be carried out
 * again if they came again.
 */
export type Restored = {
  /** When the copy was made. */
  readonly copiedAt: Ms
  /** Until when the store that is lost may have served. */
  readonly lostAt: Ms
}

/** What the vault proves of a restore. */
export function restoredText({ copiedAt, lostAt }: Restored): string {
  return `restored from a copy of ${copiedAt}, lost at ${lostAt}`
}

/** What a text that the vault has proven says of a restore; a root proof of anything else does not begin as it does. */
export function readRestored(text: string): Restored | undefined {
  const [, copiedAt, lostAt] = /^restored from a copy of (\d{1,15}), lost at (\d{1,15})$/.exec(text) ?? []
  return copiedAt === undefined || lostAt === undefined
    ? undefined
    : { copiedAt: Number(copiedAt), lostAt: Number(lostAt) }
}

/** The newest restore that this vault was told of. It holds as long as the process; the host tells it at each start. */
export class RestoredCopies {
  #lostAt: Ms | undefined

  note({ lostAt }: Restored): void {
    this.#lostAt = Math.max(this.#lostAt ?? 0, lostAt)
  }

  /**
   * Of a request that has no record: the store that is lost may have carried it out. It took requests from some minutes ahead of its
   * clock.
   *
   * @throws Failure `requestBeforeRestore`
   */
  checkRequest(timestampMs: Ms): void {
    if (this.#lostAt === undefined) return
    const until = this.#lostAt + AHEAD_MAX_MS
    if (timestampMs <= until) throw requestBeforeRestore({ timestampMs, until })
  }

  /**
   * Of a record that waits: it may have been approved and carried out before the store was lost.
   *
   * @throws Failure `waitedBeforeRestore`
   */
  checkWaiting({ createdAt }: { readonly createdAt: Ms }): void {
    if (this.#lostAt !== undefined && createdAt <= this.#lostAt) throw waitedBeforeRestore()
  }
}
