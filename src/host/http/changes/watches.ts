import type { World } from '../../../trusted/base/world.ts'
import type { WatchedReads } from './reads-in-turn.ts'
import type { Watch } from './watch.ts'
import { WatchedOrganization } from './watched-organization.ts'

/** The watched organizations of a host, each as long as somebody holds it. */
export class Watches {
  readonly #watches = new Map<string, Watch>()
  readonly #reads: WatchedReads
  readonly #newEpoch: () => string
  readonly #now: World['now']

  /** @param newEpoch  gives a text that is unique over all watchers and processes */
  constructor(reads: WatchedReads, newEpoch: () => string, now: World['now']) {
    this.#reads = reads
    this.#newEpoch = newEpoch
    this.#now = now
  }

  get(organizationId: string): Watch | undefined {
    return this.#watches.get(organizationId)
  }

  all(): readonly Watch[] {
    return [...this.#watches.values()]
  }

  /** Whether there is something to look at, and a reason to look soon. */
  next(): 'due' | 'watched' | 'none' {
    if (this.#watches.size === 0) return 'none'
    return this.all().some(({ isDue }) => isDue) ? 'due' : 'watched'
  }

  clear(): void {
    this.#watches.clear()
  }

  async hold(organizationId: string): Promise<Watch> {
    const known = this.#held(organizationId)
    if (known !== undefined) return known
    const watched = new WatchedOrganization(organizationId, this.#newEpoch(), this.#reads)
    const watch: Watch = { watched, listeners: new Set(), holds: 1, isDue: true, checkedAt: this.#now() }
    await watched.begin()
    const other = this.#held(organizationId)
    if (other !== undefined) return other
    this.#watches.set(organizationId, watch)
    return watch
  }

  /** Ends one hold. */
  release(organizationId: string, watch: Watch): void {
    watch.holds -= 1
    if (watch.holds === 0 && this.#watches.get(organizationId) === watch) this.#watches.delete(organizationId)
  }

  #held(organizationId: string): Watch | undefined {
    const watch = this.#watches.get(organizationId)
    if (watch !== undefined) watch.holds += 1
    return watch
  }
}
