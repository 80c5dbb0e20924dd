import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import type { ActivityRevision, Store } from '../../store/store.ts'

/** Activities that changed, each as it now stands; `lost` where more changed than is told one by one. */
export type Changes =
  | { readonly kind: 'changed'; readonly rows: readonly ActivityRow[] }
  | { readonly kind: 'lost' }

type Means = {
  readonly store: Pick<Store, 'newestRevisions' | 'revisionsOf' | 'activities'>
  /** The activities of these ids, once the vault has found them to be its own. */
  readonly read: (activityIds: readonly string[]) => Promise<readonly ActivityRow[]>
}

const LOOKED_AT_MAX = 100
const KEPT_MAX = 1_000

/**
 * What has changed in one organization since it was last looked at, however many watch it. It reads the revisions of the newest
 * activities, so that one that was committed late is found too, and of those that wait. The changes are numbered; the last thousand
 * are kept by their ids, so that a stream that broke goes on where it ended.
 */
export class WatchedOrganization {
  readonly organizationId: string
  readonly #epoch: string
  readonly #means: Means
  readonly #waiting = new Set<string>()
  readonly #log: string[] = []
  #known: ReadonlyMap<string, number> = new Map()
  #told = 0
  /** Changes before this number cannot be told any more. */
  #from = 0

  /** @param epoch  no other watcher, of this host or another, has the same */
  constructor(organizationId: string, epoch: string, means: Means) {
    this.organizationId = organizationId
    this.#epoch = epoch
    this.#means = means
  }

  /** To be called once, before anything else. */
  async begin(): Promise<void> {
    const { store } = this.#means
    const waiting = await store.activities(this.organizationId, WAITING, { limit: LOOKED_AT_MAX })
    for (const { activityId } of waiting) this.#waiting.add(activityId)
    this.#known = revisions(await this.#revisionsNow())
  }

  /** Where a stream that has been told everything goes on. */
  get cursor(): string {
    return `${this.#epoch}.${this.#told}`
  }

  async look(): Promise<Changes> {
    const now = await this.#revisionsNow()
    const known = this.#known
    const changed = now.filter(({ activityId, revision }) => known.get(activityId) !== revision)
    if (changed.length === 0) return { kind: 'changed', rows: [] }
    // Of a full page of which none was known, nobody can tell how many came before it.
    const isLost = now.length >= LOOKED_AT_MAX && !now.some(({ activityId }) => known.has(activityId))
    const rows = isLost ? [] : await this.#means.read(changed.map(({ activityId }) => activityId))
    // Only now: where the store could not be read, they are found again.
    this.#known = revisions(now)
    if (isLost) return this.#lose()
    for (const row of rows) this.#note(row)
    return { kind: 'changed', rows }
  }

  /** What a stream that ended at this cursor has missed. */
  async since(cursor: string): Promise<Changes> {
    const [epoch, number] = cursor.split('.')
    const from = Number(number)
    if (epoch !== this.#epoch || !(from >= this.#from && from <= this.#told)) return { kind: 'lost' }
    const missed = new Set(this.#log.slice(this.#log.length - (this.#told - from)))
    if (from === this.#told) return { kind: 'changed', rows: [] }
    if (missed.size > LOOKED_AT_MAX) return { kind: 'lost' }
    return { kind: 'changed', rows: await this.#means.read([...missed]) }
  }

  async #revisionsNow(): Promise<readonly ActivityRevision[]> {
    const { store } = this.#means
    const newest = await store.newestRevisions(this.organizationId, LOOKED_AT_MAX)
    const seen = new Set(newest.map(({ activityId }) => activityId))
    const older = [...this.#waiting].filter((id) => !seen.has(id))
    return [...newest, ...(await store.revisionsOf(this.organizationId, older))]
  }

  #note({ activityId, status }: ActivityRow): void {
    this.#told += 1
    this.#log.push(activityId)
    if (this.#log.length > KEPT_MAX) {
      this.#log.shift()
      this.#from = this.#told - KEPT_MAX
    }
    if (!WAITING.statuses.some((waiting) => waiting === status)) this.#waiting.delete(activityId)
    else if (this.#waiting.size < LOOKED_AT_MAX) this.#waiting.add(activityId)
  }

  #lose(): Changes {
    this.#log.length = 0
    this.#told += 1
    this.#from = this.#told
    return { kind: 'lost' }
  }
}

const WAITING = {
  statuses: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
} as const

function revisions(list: readonly ActivityRevision[]): ReadonlyMap<string, number> {
  return new Map(list.map(({ activityId, revision }) => [activityId, revision]))
}
