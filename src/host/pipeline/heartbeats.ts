import type { Heartbeat, Outdated, Vault } from '../../protocol/vault.ts'
import type { Ms, World } from '../../trusted/base/world.ts'
import { RECOVERY_ATTEMPTS } from '../../trusted/vault/authentication/directory-entries.ts'
import type { Store } from '../store/store.ts'
import type { Commits } from './commits.ts'
import { Rereading } from './rereading.ts'

const PAGE = 100
/** The longest pause: after a restart, the vault has to see an attempt before an hour of it begins. */
const SHOWN_EVERY_MS = 5 * 60_000

type Parts = {
  readonly store: Pick<Store, 'find' | 'charter' | 'confirmer'>
  readonly vault: Pick<Vault, 'heartbeat'>
  readonly commits: Pick<Commits, 'commit'>
  readonly elapsed: World['elapsed']
  /** A failure with one organization does not delay the others. */
  readonly onTrouble: (error: unknown) => void
}

/**
 * Shows the vault the organizations with a recovery under way, and writes the hours that it has counted. Only the vault
 * decides that an hour has passed: a host that shows them less often, or never, only makes an attempt slower.
 */
export class Heartbeats {
  readonly #parts: Parts
  /** The times until which, according to the vault, no hour can be counted. */
  #restUntil: ReadonlyMap<string, Ms> = new Map()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @returns  the organizations for which an hour was counted */
  async look(): Promise<readonly string[]> {
    const { store, elapsed, onTrouble } = this.#parts
    const restUntil = new Map<string, Ms>()
    const counted: string[] = []
    let after: string | undefined
    do {
      const found = await store.find(RECOVERY_ATTEMPTS, {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      })
      for (const organizationId of found) {
        const until = this.#restUntil.get(organizationId) ?? 0
        try {
          const rests = until > elapsed() ? until : await this.#show(organizationId, counted)
          if (rests !== undefined) restUntil.set(organizationId, rests)
        } catch (error) {
          onTrouble(error)
        }
      }
      after = found.length < PAGE ? undefined : found.at(-1)
    } while (after !== undefined)
    this.#restUntil = restUntil
    return counted
  }

  /** @returns  the time until which this organization needs no work; undefined if it is not known */
  async #show(organizationId: string, counted: string[]): Promise<Ms | undefined> {
    const { commits, elapsed } = this.#parts
    const answer = await this.#answered(organizationId)
    if (answer?.kind === 'waits') return elapsed() + Math.min(answer.forMs, SHOWN_EVERY_MS)
    // If another unit was faster, the next round counts the hour.
    if (answer?.kind === 'counted' && (await commits.commit(answer)).kind === 'committed')
      counted.push(organizationId)
    return undefined
  }

  /** @throws Bug if the charter that was read stays older than the vault knows it */
  async #answered(organizationId: string): Promise<Exclude<Heartbeat, Outdated> | undefined> {
    const { store, vault } = this.#parts
    const rereading = new Rereading()
    for (;;) {
      const confirm = store.confirmer()
      const charter = await store.charter(organizationId)
      if (charter === undefined) return undefined
      await confirm()
      const answer = await vault.heartbeat({ charter })
      if (answer.kind !== 'outdated') return answer
      rereading.note(answer)
    }
  }
}
