import { Bug } from '../../base/assert.ts'
import type { Steps } from '../../base/work.ts'
import { Secret } from '../../base/secret.ts'
import type { Ms } from '../../base/world.ts'
import { place } from '../../catalogue/objects.ts'
import { slotsOf, USAGE_METER, usageMeters } from '../../objects/usage-meter.ts'
import type { ObjectRow, Unit } from '../../catalogue/unit.ts'
import { departuresOf, type UsageSlots, usedUntil, usedWithin, withUse } from '../../policy/usage-window.ts'
import type { Usage } from '../../policy/run.ts'
import type { Changes } from '../decision/changes.ts'
import { costOfObject } from '../seals/row-costs.ts'
import { randomBytesAt } from '../decision/drawing.ts'
import type { VaultContext } from '../vault-context.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { State } from '../memory/rollback-guard.ts'
import type { BroughtMeters, MeterId, MetersNeeded } from '../../../protocol/vault.ts'
import { fitsObject, openObject, sealObject } from '../seals/seals.ts'
import { selfGuarded, selfGuardedKey, selfGuardedState } from '../memory/self-guarded.ts'
import { type CountedUse, earlierUsage } from './usage.ts'

type Known = Pick<VaultContext, 'keyring' | 'memory'>

/**
 * Opens the meters of these uses, in the state after all units under way, in steps.
 *
 * @returns  undefined where this vault does not know one of them
 */
export function* metersAhead(
  { keyring, memory }: Known,
  uses: readonly CountedUse[],
  now: Ms,
): Steps<OpenedMeters | undefined> {
  const opened = new Map<string, OpenedMeter>()
  for (const use of uses) {
    const row = memory.meterAhead(keyOf(use), now)
    if (row === undefined) return undefined
    yield costOfObject(row)
    opened.set(use.id, openMeter(keyring, row, use))
  }
  return new OpenedMeters(uses, opened, now)
}

/**
 * Opens the committed meters of these uses: as they were brought, or in a later committed state that this vault knows;
 * in steps.
 *
 * @returns  undefined where one was not brought
 * @throws   Older, when this vault has seen a newer state of one, but no longer knows it
 */
export function* standingMeters(
  { keyring, memory }: Known,
  uses: readonly CountedUse[],
  brought: BroughtMeters | undefined,
  now: Ms,
): Steps<OpenedMeters | undefined> {
  const ids = new Set(brought?.ids.map(({ objectId }) => objectId))
  const broughtRows = new Map(brought?.rows.map((row) => [row.objectId, row]))
  const opened = new Map<string, OpenedMeter>()
  for (const use of uses) {
    if (!ids.has(use.id)) return undefined
    const key = keyOf(use)
    const found = [broughtRows.get(use.id), memory.meterStanding(key, now)]
    const rows = found.filter((row) => row !== undefined)
    yield rows.reduce((cost, row) => cost + costOfObject(row), 0)
    const meters = rows.map((row) => openMeter(keyring, row, use))
    const meter = meters.reduce<OpenedMeter | undefined>(newer, undefined)
    if (meter === undefined) {
      memory.rows.check(key, undefined, now)
      continue
    }
    memory.seeRow(meter.row, meter.state, now, (known) => fitsObject(keyring, meter.row, known))
    opened.set(use.id, meter)
  }
  return new OpenedMeters(uses, opened, now)
}

function newer(one: OpenedMeter | undefined, other: OpenedMeter): OpenedMeter {
  return one !== undefined && one.state.revision >= other.state.revision ? one : other
}

function keyOf({ organizationId, id }: CountedUse): string {
  return selfGuardedKey({ organizationId, kind: USAGE_METER, objectId: id })
}

function openMeter(keyring: Keyring, row: ObjectRow, { organizationId, key }: CountedUse): OpenedMeter {
  openObject(keyring, row).wipe()
  const body = usageMeters.parse(row.body)
  if (row.organizationId !== organizationId || row.kind !== USAGE_METER || body.key !== key)
    throw new Bug('the row of another meter was brought')
  return { row, state: selfGuardedState(usageMeters, body, row.seal), slots: slotsOf(body.slots) }
}

export function metersNeeded(uses: readonly CountedUse[], { asTheyStand = false } = {}): MetersNeeded {
  return { kind: 'meters', ids: uses.map(meterIdOf), asTheyStand }
}

type OpenedMeter = { readonly row: ObjectRow; readonly state: State; readonly slots: UsageSlots }

/** The usage before a request. */
export class OpenedMeters {
  readonly uses: readonly CountedUse[]
  /** The usage that policies see for one set of facts. */
  readonly usageAt: (at: number) => Usage
  readonly #opened: ReadonlyMap<string, OpenedMeter>
  readonly #now: Ms

  constructor(uses: readonly CountedUse[], opened: ReadonlyMap<string, OpenedMeter>, now: Ms) {
    this.uses = uses
    this.usageAt = earlierUsage(uses, (use) => this.before(use))
    this.#opened = opened
    this.#now = now
  }

  /** Whether each of these rows guards the unit. */
  areGuardsOf({ objectGuards }: Unit): boolean {
    const guards = new Map(objectGuards.map((guard) => [selfGuardedKey(guard), guard.seal]))
    return this.uses.every((use) => guards.get(keyOf(use)) === this.#opened.get(use.id)?.state.seal)
  }

  /** Within the window of the meter. */
  before({ id, meter: { windowMs } }: CountedUse): bigint {
    return usedWithin(this.#opened.get(id)?.slots ?? [], windowMs, this.#now)
  }

  /** Within the window that ends at a later instant, without further usage. */
  beforeAt({ id, meter: { windowMs } }: CountedUse, then: Ms): bigint {
    return usedWithin(this.#opened.get(id)?.slots ?? [], windowMs, then)
  }

  /** The instants at which usage leaves its window, the earliest first. */
  departures(): readonly Ms[] {
    const all = this.uses.flatMap(({ id, meter: { windowMs } }) =>
      departuresOf(this.#opened.get(id)?.slots ?? [], windowMs, this.#now),
    )
    return [...new Set(all)].sort((a, b) => a - b)
  }

  /** Within the window that ended at a past instant, as far as it is still known. */
  beforeThen({ id, meter: { windowMs } }: CountedUse, at: Ms): bigint {
    return usedUntil(this.#opened.get(id)?.slots ?? [], windowMs, at)
  }

  /**
   * The changes of a request that is carried out, with its usage. Each row that was read guards the unit, even if its
   * usage does not change, so the unit may depend on units under way. Each row is a step.
   */
  *counted(
    changes: Changes,
    vaultContext: Pick<VaultContext, 'keyring' | 'world' | 'drawing'>,
  ): Steps<Changes> {
    const rows: ObjectRow[] = []
    const used = this.uses.filter(({ total }) => total > 0n)
    for (const use of used) {
      const place = () => ({ organizationId: use.organizationId, userId: '', kind: USAGE_METER })
      const randomBytes = randomBytesAt(vaultContext, place)
      const row = this.#row(use)
      yield costOfObject(row)
      rows.push(sealObject(vaultContext.keyring, row, NO_SECRET, randomBytes))
    }
    // A policy may look at several meters. So beside one that changes, another one without a row must stay without it.
    const guarded = used.length > 0 ? this.uses : this.uses.filter(({ id }) => this.#opened.has(id))
    const guards = guarded.map(({ organizationId, id }) => ({
      organizationId,
      kind: USAGE_METER,
      objectId: id,
      seal: this.#opened.get(id)?.state.seal ?? null,
    }))
    return {
      ...changes,
      objectGuards: [...changes.objectGuards, ...guards],
      objects: { ...changes.objects, put: [...changes.objects.put, ...rows] },
    }
  }

  #row(use: CountedUse): Omit<ObjectRow, 'seal'> {
    const { organizationId, id, key, meter } = use
    const { windowMs } = meter
    const earlier = this.#opened.get(id)
    const slots = withUse(earlier?.slots ?? [], use.total, windowMs, this.#now)
    const body = { key, windowMs, slots: slots.map(([slot, amount]) => [slot, String(amount)] as const) }
    return selfGuarded(organizationId, place(usageMeters, id, body), earlier?.state)
  }
}

const NO_SECRET = new Secret(new Uint8Array(0))

function meterIdOf({ organizationId, id }: CountedUse): MeterId {
  return { organizationId, objectId: id }
}
