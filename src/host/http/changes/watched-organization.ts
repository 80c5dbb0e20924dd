import { activityPages } from '../../store/activity-pages.ts'
import type { ActivityRevision } from '../../store/store.ts'
import type { Told, WatchedReads } from './reads-in-turn.ts'

/** The changed activities in their current state; `lost` where there are too many changes to send one by one. */
export type Changes =
  | { readonly kind: 'changed'; readonly changed: readonly Changed[] }
  | { readonly kind: 'lost' }

/** `cursor`: of a stream that has received this change and those before it. */
type Changed = { readonly told: Told; readonly cursor: string }

/** Up to this number, changes are sent one by one. */
const TOLD_MAX = 100
/** A check reads this number of the newest activities, and more where all of them are recent. */
const LOOKED_AT = 100
const LOOKED_AT_MAX = 1_000
/** A commit that takes longer may be missed. */
const LATE_MS = 5_000
/** The highest number of known waiting activities, the newest first; each check reads some of them. */
const WAITING_MAX = 1_000
const WAITING_AT_ONCE = 100
const KEPT_MAX = 1_000

/**
 * The changes of one organization since the last check, for any number of watchers. It reads the revisions of the
 * newest activities, which also finds late commits, and of waiting ones. The changes are numbered, and the last
 * thousand are kept by id, so that an interrupted stream can be resumed.
 */
export class WatchedOrganization {
  readonly organizationId: string
  readonly #epoch: string
  readonly #reads: WatchedReads
  /** In the order in which they are looked at. */
  readonly #waiting = new Set<string>()
  readonly #log: string[] = []
  #known: ReadonlyMap<string, number> = new Map()
  /** The last look has seen all activities of this id and later. */
  #floor = ''
  #told = 0
  /** Changes before this number cannot be told any more. */
  #from = 0

  /** @param epoch  unique over all watchers and hosts */
  constructor(organizationId: string, epoch: string, reads: WatchedReads) {
    this.organizationId = organizationId
    this.#epoch = epoch
    this.#reads = reads
  }

  /** Call it once, before all other methods. */
  async begin(): Promise<void> {
    const { newest, floor } = await this.#newest()
    this.#floor = floor
    this.#known = new Map([...newest, ...(await this.#awaited(WAITING_MAX))])
  }

  /** The cursor of a stream that has received all changes. */
  get cursor(): string {
    return this.#cursorAt(this.#told)
  }

  async look(): Promise<Changes> {
    const [known, seenFrom] = [this.#known, this.#floor]
    const { newest, floor } = await this.#newest()
    const older = await this.#someThatWait(newest)
    const changed = [...newest, ...older].filter(
      ([id, revision]) => known.get(id) !== revision && (id >= seenFrom || known.has(id)),
    )
    // If no entry of a full page was known, the number of changes before it is unknown.
    const isGap = floor > seenFrom && ![...newest.keys()].some((id) => known.has(id))
    const isLost = isGap || changed.length > TOLD_MAX
    const found =
      isLost || changed.length === 0
        ? []
        : await this.#reads.told(
            this.organizationId,
            changed.map(([id]) => id),
          )
    const awaited = isLost ? await this.#awaited(WAITING_AT_ONCE) : []
    // Only now: where the store could not be read, they are found again.
    const waiting = [...known].filter(([id]) => this.#waiting.has(id))
    this.#known = new Map([...waiting, ...newest, ...older, ...awaited])
    this.#floor = floor
    if (isLost) return this.#lose()
    const noted = found.map((told) => ({ told, cursor: this.#cursorAt(this.#note(told)) }))
    return { kind: 'changed', changed: noted }
  }

  /** The changes that a stream missed since this cursor. */
  async since(cursor: string): Promise<Changes> {
    const [epoch, number] = cursor.split('.')
    const from = Number(number)
    if (epoch !== this.#epoch || !(from >= this.#from && from <= this.#told)) return { kind: 'lost' }
    if (from === this.#told) return { kind: 'changed', changed: [] }
    const missed = this.#numbersSince(from)
    if (missed.size > TOLD_MAX) return { kind: 'lost' }
    const found = await this.#reads.told(this.organizationId, [...missed.keys()])
    const changed = found.map((told) => ({
      told,
      cursor: this.#cursorAt(missed.get(told.activityId) ?? from),
    }))
    return { kind: 'changed', changed }
  }

  #cursorAt(number: number): string {
    return `${this.#epoch}.${number}`
  }

  /** The activities that changed after this number, each with the number of its last change, in the order of these. */
  #numbersSince(from: number): ReadonlyMap<string, number> {
    const numbers = new Map<string, number>()
    for (const [at, activityId] of this.#log.slice(this.#log.length - (this.#told - from)).entries()) {
      numbers.delete(activityId)
      numbers.set(activityId, from + at + 1)
    }
    return numbers
  }

  async #newest(): Promise<{ readonly newest: Revisions; readonly floor: string }> {
    const read = async (limit: number) => {
      const newest = revisions(await this.#reads.newestRevisions(this.organizationId, limit))
      const ids = [...newest.keys()].toSorted()
      const [first, last] = [ids[0] ?? '', ids.at(-1) ?? '']
      const isAll = ids.length < limit
      return { newest, floor: isAll ? '' : first, isEnough: isAll || timeOf(last) - timeOf(first) >= LATE_MS }
    }
    const page = await read(LOOKED_AT)
    return page.isEnough ? page : await read(LOOKED_AT_MAX)
  }

  /** Of those that wait and are not among these, the ones that were not looked at for the longest time. */
  async #someThatWait(newest: Revisions): Promise<Revisions> {
    const wanted = [...this.#waiting].filter((id) => !newest.has(id)).slice(0, WAITING_AT_ONCE)
    for (const id of wanted) if (this.#waiting.delete(id)) this.#waiting.add(id)
    return revisions(await this.#reads.revisionsOf(this.organizationId, wanted))
  }

  /** The newest that wait, by pages, and from now on all of these are looked at. */
  async #awaited(max: number): Promise<readonly (readonly [activityId: string, revision: number])[]> {
    const found: (readonly [string, number])[] = []
    for await (const rows of activityPages(this.#reads, this.organizationId, WAITING)) {
      for (const { activityId, revision } of rows) {
        found.push([activityId, revision])
        if (this.#waiting.size < WAITING_MAX) this.#waiting.add(activityId)
      }
      if (found.length >= max) break
    }
    return found
  }

  /** @returns the number of the change */
  #note({ activityId, status }: Told): number {
    this.#told += 1
    this.#log.push(activityId)
    if (this.#log.length > KEPT_MAX) {
      this.#log.shift()
      this.#from = this.#told - KEPT_MAX
    }
    if (!WAITING.statuses.some((waiting) => waiting === status)) this.#waiting.delete(activityId)
    else if (this.#waiting.size < WAITING_MAX) this.#waiting.add(activityId)
    return this.#told
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

type Revisions = ReadonlyMap<string, number>

function revisions(list: readonly ActivityRevision[]): Revisions {
  return new Map(list.map(({ activityId, revision }) => [activityId, revision]))
}

/** Ids begin with their time (RFC 9562, 5.7). */
function timeOf(activityId: string): number {
  return Number.parseInt(activityId.replace('-', '').slice(0, 12), 16)
}
