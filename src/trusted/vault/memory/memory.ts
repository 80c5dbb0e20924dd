import type { Owner } from '../../base/fair-lru.ts'
import type { Ms, World } from '../../base/world.ts'
import type { ActivityRow, ObjectKey, ObjectRow, Unit } from '../../catalogue/unit.ts'
import { type Charter, tenantOf } from '../../charter/charter.ts'
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

/**
 * Of organizations whose charter this vault does not know. They share the room of one tenant: a host that keeps back
 * the charters of a tenant's sub-organizations gains no more than that for it.
 */
const UNKNOWN: Owner = { tenant: '', organization: '' }

type Noted = {
  readonly of: RollbackGuard
  readonly key: string
  readonly state: State
  readonly owner: Owner
}

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
 * other vaults that it was shown. Decisions never use older states. The memory lasts as long as the process, and its
 * room is shared fairly between tenants (docs/decisions/memory.md).
 */
export class Memory {
  readonly charters: RollbackGuard
  readonly rows: RollbackGuard
  /** Only activities that have waited at some time: the others have one revision. */
  readonly records: RollbackGuard
  readonly restored = new RestoredCopies()
  readonly #meters = new KnownMeters()
  readonly #requests: RecentRequests
  readonly #handedOut = new HandedOut<Effects>()

  constructor({ randomBytes }: Pick<World, 'randomBytes'>, entriesMax: number = ENTRIES_MAX) {
    this.charters = new RollbackGuard('charter of organization', entriesMax)
    this.rows = new RollbackGuard('row', entriesMax)
    this.records = new RollbackGuard('activity', entriesMax)
    this.#requests = new RecentRequests(randomBytes)
  }

  /** The tenant of an organization, by its sealed charter; undefined where this vault does not know that. */
  tenantOf(organizationId: string): string | undefined {
    const tenant = this.charters.tenantOf(organizationId)
    return tenant === UNKNOWN.tenant ? undefined : tenant
  }

  /**
   * Notes a charter whose seal was verified.
   *
   * @param fits  whether a seal is over this very charter
   * @throws Older
   */
  seeCharter(
    charter: Pick<Charter, 'organizationId' | 'parentId' | 'version'>,
    seal: string,
    now: Ms,
    fits: (seal: string) => boolean,
  ): void {
    const { organizationId, version: revision } = charter
    const noting = { owner: ownerOfCharter(organizationId, tenantOf(charter)), now }
    this.charters.see(organizationId, { revision, seal }, noting, fits)
  }

  /**
   * Notes a row that guards itself, whose seal was verified.
   *
   * @param fits  whether a seal is over this very row
   * @throws Older
   */
  seeRow(row: ObjectKey, state: State, now: Ms, fits: (seal: string) => boolean): void {
    this.rows.see(selfGuardedKey(row), state, { owner: this.#ownerIn(row.organizationId), now }, fits)
  }

  /**
   * Notes a record whose seal was verified: another host may have committed it, and it may be missing when the same
   * bytes arrive here.
   *
   * @param fits  whether a seal is over this very record
   * @throws Older
   */
  seeRecord(row: ActivityRow, now: Ms, fits: (seal: string) => boolean): void {
    const noting = { owner: this.#ownerIn(row.organizationId), now }
    if (row.awaited === 1) this.records.see(row.activityId, stateOf(row), noting, fits)
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
      for (const { of, key, state, owner } of effects.states) of.note(key, state, { owner, now })
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
        owner: this.#ownerOfAmended(row.organizationId, activity?.row.organizationId),
      })
    const guarded = new Set(objectGuards.map(selfGuardedKey))
    for (const row of objects.put) {
      const key = selfGuardedKey(row)
      if (!guarded.has(key)) continue
      const owner = this.#ownerIn(row.organizationId)
      states.push({ of: this.rows, key, state: selfGuardedStateIn(row), owner })
      if (row.kind === USAGE_METER) meters.push({ key, row })
    }
    if (activity?.row.awaited === 1) {
      const { activityId, organizationId } = activity.row
      const owner = this.#ownerIn(organizationId)
      states.push({ of: this.records, key: activityId, state: stateOf(activity.row), owner })
    }
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

  #ownerIn(organizationId: string): Owner {
    const tenant = this.tenantOf(organizationId)
    return tenant === undefined ? UNKNOWN : { tenant, organization: organizationId }
  }

  /** A new organization belongs to the tenant of its maker. One that nobody makes is a tenant of its own. */
  #ownerOfAmended(organizationId: string, maker: string | undefined): Owner {
    const made = maker === undefined ? organizationId : this.tenantOf(maker)
    const tenant = this.tenantOf(organizationId) ?? made
    return tenant === undefined ? UNKNOWN : ownerOfCharter(organizationId, tenant)
  }
}

/** The charters of sub-organizations count as those of one organization, so that they take no room of the parent's. */
function ownerOfCharter(organizationId: string, tenant: string): Owner {
  return { tenant, organization: organizationId === tenant ? tenant : `sub-organizations of ${tenant}` }
}

function stateOf({ revision, seal }: ActivityRow): State {
  return { revision, seal }
}
