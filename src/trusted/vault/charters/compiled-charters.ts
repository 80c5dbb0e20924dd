import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import type { Vocabulary } from '../../policy/types.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Memory } from '../memory/memory.ts'
import type { OfferedCharter } from '../../../protocol/vault.ts'
import { fitsCharter, openCharter } from '../seals/seals.ts'
import { type CompiledCharter, compileCharter } from './compiled-charter.ts'
import { KnownCharters, weightOf } from './known-charters.ts'

type Known = { readonly seal: string; readonly compiled: CompiledCharter; readonly weight: number }

/** The cost of the request so far, and the time of its decision. */
export type During = { readonly work: Work; readonly now: Ms }

/** The charters that the vault has verified. */
export class CompiledCharters {
  readonly #keyring: Keyring
  readonly #vocabulary: Vocabulary
  readonly #memory: Pick<Memory, 'charters' | 'seeCharter'>
  readonly #known = new KnownCharters<Known>()
  /** The end of each opening that is under way, by organization, version and seal. */
  readonly #opening = new Map<string, Promise<void>>()

  constructor(keyring: Keyring, vocabulary: Vocabulary, memory: Pick<Memory, 'charters' | 'seeCharter'>) {
    this.#keyring = keyring
    this.#vocabulary = vocabulary
    this.#memory = memory
  }

  /**
   * Undefined when the host must bring the charter itself, because it was left out.
   *
   * @throws Older
   */
  async get(offered: OfferedCharter, during: During): Promise<CompiledCharter | undefined> {
    const { organizationId, version, seal, body } = offered
    const key = `${organizationId} ${version} ${seal}`
    for (;;) {
      const known = this.#known.get(organizationId)
      if (known !== undefined && known.seal === seal && known.compiled.charter.version === version) {
        // Charters of others may have had it forgotten, and it may not be opened again for long.
        this.#memory.seeCharter(known.compiled.charter, seal, during.now, () => false)
        return known.compiled
      }
      // For an equal version, the body shows whether it is the same charter, resealed.
      this.#memory.charters.checkRevision(organizationId, version, during.now)
      // If each opened it for itself, then with many at once none would come to its end.
      const underWay = this.#opening.get(key)
      if (underWay === undefined) break
      await underWay
    }
    if (body === undefined) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#opening.set(key, promise)
    try {
      return await this.#open({ organizationId, version, seal, body }, during)
    } finally {
      this.#opening.delete(key)
      resolve()
    }
  }

  async #open(row: CharterRow, { work, now }: During): Promise<CompiledCharter> {
    const { organizationId, seal, body } = row
    // The first request opens it for all. If it could be too expensive, a restart would end the organization.
    work.chargeUnbounded(body.length * costs.charterCharacter)
    const charter = openCharter(this.#keyring, row)
    const earlier = this.#known.get(organizationId)?.compiled
    const steps = compileCharter(charter, this.#vocabulary, { body, earlier })
    const compiled = await work.throughUnbounded(steps)
    // Other requests were decided meanwhile, and may have brought a newer one.
    this.#memory.seeCharter(charter, seal, now, (other) => fitsCharter(this.#keyring, row, other))
    this.#known.set(organizationId, { seal, compiled, weight: weightOf(body, compiled) })
    return compiled
  }
}
