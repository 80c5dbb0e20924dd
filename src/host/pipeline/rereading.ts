import { Bug } from '../../trusted/base/assert.ts'
import type { Outdated } from '../../protocol/vault.ts'

/**
 * Distinguishes slow reads from tampering. The vault may know a newer row than the one that was brought, because the
 * newer row was committed in between. A read after this answer of the vault shows the newer row, unless an older one
 * was put back.
 */
export class Rereading {
  readonly #told = new Set<string>()

  /** @throws Bug if the same row is brought again */
  note({ what }: Outdated): void {
    if (this.#told.has(what)) throw new Bug(what)
    this.#told.add(what)
  }
}
