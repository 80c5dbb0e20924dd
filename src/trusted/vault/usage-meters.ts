import { Bug } from '../base/assert.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import { place } from '../catalogue/objects.ts'
import { slotsOf, USAGE_METER, usageMeters } from '../objects/usage-meter.ts'
import type { ObjectRow } from '../catalogue/unit.ts'
import { departuresOf, type UsageSlots, usedUntil, usedWithin, withUse } from '../policy/usage-window.ts'
import type { Usage } from '../policy/run.ts'
import type { Changes } from './carry-out.ts'
import { randomBytesAt } from './drawing.ts'
import type { VaultContext } from './request-context.ts'
import type { Keyring } from './keyring.ts'
import type { State } from './rollback-guard.ts'
import type { BroughtMeters, MeterId, MetersNeeded } from '../../protocol/vault.ts'
import { openObject, sealObject } from './seals.ts'
import { selfGuarded, selfGuardedKey, selfGuardedState } from './self-guarded.ts'
import { type CountedUse, usageAt } from './usage.ts'

/**
 * Opens the rows that were brought for these uses.
 *
 * @returns  which rows have to be brought first, when one was not looked for
 * @throws   Older, when this vault has seen one grow
 */
export function openMeters(
  { keyring, memory }: Pick<VaultContext, 'keyring' | 'memory'>,
  uses: readonly CountedUse[],
  brought: BroughtMeters | undefined,
  now: Ms,
): OpenedMeters | MetersNeeded {
  const opened = new Map<string, OpenedMeter>()
  for (const use of uses) {
    if (brought?.ids.some(({ objectId }) => objectId === use.id) !== true) return needed(uses)
    const isOfUse = ({ objectId }: ObjectRow): boolean => objectId === use.id
    const ahead = brought.underWay.find(isOfUse)
    const row = ahead ?? brought.rows.find(isOfUse)
    const meter = row === undefined ? undefined : openMeter(keyring, row, use)
    const key = selfGuardedKey({ organizationId: use.organizationId, kind: USAGE_METER, objectId: use.id })
    // The unit that was to leave it has ended, and has not: it may be that this row never comes to be, and so it is not noted either.
    if (ahead !== undefined && !memory.willBe(key, ahead.seal, now)) return needed(uses)
    memory.rows.check(key, meter?.state, now)
    if (meter === undefined) continue
    if (ahead === undefined) memory.rows.note(key, meter.state, now)
    opened.set(use.id, meter)
  }
  return new OpenedMeters(uses, opened, now)
}

function openMeter(keyring: Keyring, row: ObjectRow, { organizationId, key }: CountedUse): OpenedMeter {
  openObject(keyring, row).wipe()
  const body = usageMeters.parse(row.body)
  if (row.organizationId !== organizationId || row.kind !== USAGE_METER || body.key !== key)
    throw new Bug('the row of another meter was brought')
  return { state: selfGuardedState(usageMeters, body, row.seal), slots: slotsOf(body.slots) }
}

function needed(uses: readonly CountedUse[]): MetersNeeded {
  return { kind: 'meters', ids: uses.map(meterIdOf) }
}

type OpenedMeter = { readonly state: State; readonly slots: UsageSlots }

/** What was used before a request. */
export class OpenedMeters {
  readonly uses: readonly CountedUse[]
  readonly #opened: ReadonlyMap<string, OpenedMeter>
  readonly #now: Ms

  constructor(uses: readonly CountedUse[], opened: ReadonlyMap<string, OpenedMeter>, now: Ms) {
    this.uses = uses
    this.#opened = opened
    this.#now = now
  }

  /** What policies see of it when one of the facts is judged. */
  usageAt(at: number): Usage | undefined {
    return usageAt(at, this.uses, (use) => this.before(use))
  }

  /** Within the window of the meter. */
  before({ id, meter: { windowMs } }: CountedUse): bigint {
    return usedWithin(this.#opened.get(id)?.slots ?? [], windowMs, this.#now)
  }

  /** Within the window that will end at a later instant, if nothing more is used. */
  beforeAt({ id, meter: { windowMs } }: CountedUse, then: Ms): bigint {
    return usedWithin(this.#opened.get(id)?.slots ?? [], windowMs, then)
  }

  /** When something of what was used leaves its window, the earliest first. */
  departures(): readonly Ms[] {
    const all = this.uses.flatMap(({ id, meter: { windowMs } }) =>
      departuresOf(this.#opened.get(id)?.slots ?? [], windowMs, this.#now),
    )
    return [...new Set(all)].sort((a, b) => a - b)
  }

  /** Within the window that ended at an instant of the past, as far as that is still known. */
  beforeThen({ id, meter: { windowMs } }: CountedUse, at: Ms): bigint {
    return usedUntil(this.#opened.get(id)?.slots ?? [], windowMs, at)
  }

  /** The changes of a request that is carried out, and what it has used with them. */
  counted(changes: Changes, vaultContext: Pick<VaultContext, 'keyring' | 'world' | 'drawing'>): Changes {
    const written = this.uses.filter((use) => use.total > 0n)
    if (written.length === 0) return changes
    const rows = written.map((use) => {
      const place = () => ({ organizationId: use.organizationId, userId: '', kind: USAGE_METER })
      const randomBytes = randomBytesAt(vaultContext, place)
      return sealObject(vaultContext.keyring, this.#row(use), NO_SECRET, randomBytes)
    })
    const guards = written.map(({ organizationId, id }) => ({
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
    return selfGuarded(organizationId, place(usageMeters, id, body, NO_SECRET), earlier?.state)
  }
}

const NO_SECRET = new Secret(new Uint8Array(0))

function meterIdOf({ organizationId, id }: CountedUse): MeterId {
  return { organizationId, objectId: id }
}
