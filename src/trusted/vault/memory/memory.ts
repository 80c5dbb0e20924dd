import type { Ms, World } from '../../base/world.ts'
import type { ActivityRow, ObjectRow, Unit } from '../../catalogue/unit.ts'
import { requestForgotten } from '../failures.ts'
import { HandedOut } from './units-under-way.ts'
import { AGE_MAX_MS } from './request-age.ts'
import { KnownMeters } from './known-meters.ts'
import { USAGE_METER } from '../../objects/usage-meter.ts'
import { RollbackGuard, Older, type State } from './rollback-guard.ts'
import type { SettledUnits } from '../../../protocol/vault.ts'
import { RestoredCopies } from './restored-copy.ts'
import { RecentRequests, type RequestId } from './recent-requests.ts'
import { selfGuardedKey, selfGuardedStateIn } from './self-guarded.ts'

const ENTRIES_MAX = 200_000

type Noted = { readonly of: RollbackGuard; readonly key: string; readonly state: State }

/** The changes of a unit. */
type Effects = {
  /** Two units under way never write the same object. */
  readonly writes: readonly string[]
  readonly states: readonly Noted[]
  readonly meters: readonly { readonly key: string; readonly row: ObjectRow }[]
  /** The meters that it depends on, written or not. */
  readonly onMeters: readonly string[]
  /** Of a new record. */
  readonly request?: RequestId
}

/**
 * The newest committed states that this vault knows: from its own units, as the host reports them, or from data of
 * other vaults that it was shown. Decisions never use older states. The memory lasts as long as the process, and evicts
 * the least recently used entries (docs/decisions/memory.md).
 */
export class Memory {
  readonly charters = new RollbackGuard('charter of organization', ENTRIES_MAX)
  readonly rows = new RollbackGuard('row', ENTRIES_MAX)
  /** Only activities that have waited at some time: the others have one revision. */
  readonly records = new RollbackGuard('activity', ENTRIES_MAX)
  readonly restored = new RestoredCopies()
  readonly #meters = new KnownMeters()
  readonly #requests: RecentRequests
  readonly #handedOut = new HandedOut<Effects>()

  constructor({ randomBytes }: Pick<World, 'randomBytes'>) {
    this.#requests = new RecentRequests(randomBytes)
  }

  /**
   * Notes a record whose seal was verified: another host may have committed it, and it may be missing when the same
   * bytes arrive here.
   *
   * @param fits  whether a seal is over this very record
   * @throws Older
   */
  seeRecord(row: ActivityRow, now: Ms, fits: (seal: string) => boolean): void {
    if (row.awaited === 1) this.records.see(row.activityId, stateOf(row), now, fits)
    this.#requests.note(row, now - AGE_MAX_MS)
  }

  /**
   * Hands a unit out to the host, if its basis is still the newest.
   *
   * @returns  the ticket under which the host reports its outcome
   * @throws   Older, UnderWay
   */
  handOut(unit: Unit, now: Ms): number {
    for (const { organizationId, version } of unit.guards)
      this.charters.checkRevision(organizationId, version, now)
    const follows = new Set<string>()
    for (const guard of unit.objectGuards) {
      const key = selfGuardedKey(guard)
      if (guard.kind === USAGE_METER && this.#isUnderWay(key, guard.seal)) follows.add(key)
      else this.rows.checkSeal(key, guard.seal, now)
    }
    const { activity } = unit
    if (activity !== undefined && activity.replaces !== null)
      this.records.checkRevision(activity.row.activityId, activity.replaces, now)
    if (activity?.replaces === null) this.#checkNew(activity.row)
    const effects = this.#effectsOf(unit)
    const ticket = this.#handedOut.add(effects, (written) => follows.has(written))
    for (const { key, row } of effects.meters) this.#meters.handedOut(key, row)
    return ticket
  }

  /** The state after all units under way; undefined where this vault does not know it. */
  meterAhead(key: string, now: Ms): ObjectRow | undefined {
    const row = this.#meters.ahead(key)
    if (row === undefined) return undefined
    // Another host may have written it since.
    return this.#isUnderWay(key, row.seal) || this.rows.isNewest(key, row.seal, now) ? row : undefined
  }

  /** The last committed state. */
  meterStanding(key: string, now: Ms): ObjectRow | undefined {
    const row = this.#meters.standing(key)
    return row !== undefined && this.rows.isNewest(key, row.seal, now) ? row : undefined
  }

  /**
   * Whether this is the state after the last unit under way. A unit that depends on it is written after that unit, or
   * not at all.
   */
  #isUnderWay(key: string, seal: string | null): boolean {
    const states = this.#handedOut.writerOf(key)?.states ?? []
    return states.some(({ key: written, state }) => written === key && state.seal === seal)
  }

  /** Records the outcome of units. For an unknown outcome, the state is unknown until it is seen again. */
  settle({ committed, dropped, unknown }: SettledUnits, now: Ms): void {
    for (const ticket of committed) {
      const effects = this.#handedOut.take(ticket)
      if (effects === undefined) continue
      for (const { of, key, state } of effects.states) of.note(key, state, now)
      for (const { key, row } of effects.meters) this.#meters.committed(key, row)
      if (effects.request !== undefined) this.#requests.note(effects.request, now - AGE_MAX_MS)
    }
    for (const ticket of [...dropped, ...unknown])
      for (const key of this.#handedOut.take(ticket)?.onMeters ?? []) this.#meters.forget(key)
  }

  #checkNew(row: ActivityRow): void {
    const { timestampMs } = row
    const { since } = this.#requests
    if (timestampMs < since) throw requestForgotten({ timestampMs, since })
    if (this.#requests.has(row))
      throw new Older(
        `request ${row.fingerprint} of organization ${row.organizationId}: its record is hidden`,
      )
  }

  #effectsOf({ charters, objectGuards, objects, activity }: Unit): Effects {
    const states: Noted[] = []
    const meters: { key: string; row: ObjectRow }[] = []
    const onMeters = objectGuards.filter(({ kind }) => kind === USAGE_METER).map(selfGuardedKey)
    for (const row of charters)
      states.push({
        of: this.charters,
        key: row.organizationId,
        state: { revision: row.version, seal: row.seal },
      })
    const guarded = new Set(objectGuards.map(selfGuardedKey))
    for (const row of objects.put) {
      const key = selfGuardedKey(row)
      if (!guarded.has(key)) continue
      states.push({ of: this.rows, key, state: selfGuardedStateIn(row) })
      if (row.kind === USAGE_METER) meters.push({ key, row })
    }
    if (activity?.row.awaited === 1)
      states.push({ of: this.records, key: activity.row.activityId, state: stateOf(activity.row) })
    const writes = states.map(({ key }) => key)
    if (activity?.replaces !== null) return { writes, states, meters, onMeters }
    const { organizationId, fingerprint, timestampMs } = activity.row
    return {
      writes: [...writes, fingerprint],
      states,
      meters,
      onMeters,
      request: { organizationId, fingerprint, timestampMs },
    }
  }
}

function stateOf({ revision, seal }: ActivityRow): State {
  return { revision, seal }
}
