import { Bug } from '../../trusted/base/assert.ts'
import type { Outdated } from '../../protocol/vault.ts'

/**
 * Tells who was merely slower from what was tampered with. The vault knows something newer than what was brought: it
 * may have been committed while that was on its way. What is read after the vault has said so shows it, unless it was
 * put back.
 */
export class Rereading {
  readonly #told = new Set<string>()

  /** @throws Bug when the same is brought again */
  note({ what }: Outdated): void {
    if (this.#told.has(what)) throw new Bug(what)
    this.#told.add(what)
  }
}
