import { Bug } from '../base/assert.ts'
import { Lru } from '../base/lru.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import { type ObjectKind, place } from '../catalogue/objects.ts'
import type { ObjectRow } from '../catalogue/unit.ts'
import { forgottenAt, type UsageSlots, usedUntil, usedWithin, withUse } from '../policy/usage-window.ts'
import type { Changes, Means } from './carry-out.ts'
import type { Keyring } from './keyring.ts'
import type { BroughtMeters, MeterId } from './protocol.ts'
import { openObject, sealObject } from './seals.ts'
import type { CountedUse } from './usage.ts'

/** What a meter has counted, for one set of what it counts apart by. */
type UsageMeter = {
  readonly key: string
  readonly windowMs: number
  /** Counts up each time it is written. */
  readonly revision: number
  /** Amounts as decimal text. */
  readonly slots: readonly (readonly [slot: number, amount: string])[]
}

const usageMeters: ObjectKind<UsageMeter> = {
  kind: 'usage_meter',
  claims: () => [],
  entries: () => [],
  // Only a body that the vault has sealed is parsed, and it sealed no other shape.
  parse: (body) => JSON.parse(body) as UsageMeter,
  taken: () => {
    throw new Bug('a meter claims no name')
  },
  guardedBy: 'row',
  expiresAt: ({ slots, windowMs }) => forgottenAt(slotsOf(slots), windowMs) + CLOCKS_APART_MAX_MS,
}

export const USAGE_METER = usageMeters.kind

/** A clock that runs ahead must not sweep away what another still counts. */
const CLOCKS_APART_MAX_MS = 60 * 60 * 1000

const SEEN_MAX = 200_000

/** The rows of meters, and the newest of each that this vault has been shown: one that is older is not taken. */
export class UsageMeters {
  readonly #keyring: Keyring
  readonly #newest = new Lru<{ readonly revision: number; readonly forgottenAt: Ms }>(SEEN_MAX)

  constructor(keyring: Keyring) {
    this.#keyring = keyring
  }

  /**
   * Opens the rows that were brought for these uses.
   *
   * @returns  which rows have to be brought, when one was not looked for or is out of date
   */
  open(
    uses: readonly CountedUse[],
    brought: BroughtMeters | undefined,
    now: Ms,
  ): OpenedMeters | { readonly missing: readonly MeterId[] } {
    const opened = new Map<string, OpenedMeter>()
    for (const row of brought?.written ?? []) this.#noted(row, uses, now)
    for (const use of uses) {
      const isAsked = brought?.ids.some(({ objectId }) => objectId === use.id) === true
      const row = brought?.rows.find(({ objectId }) => objectId === use.id)
      const meter = row === undefined ? undefined : this.#opened(row, use, now)
      if (!isAsked || this.#isOld(use.id, meter, now)) return { missing: uses.map(meterIdOf) }
      if (meter !== undefined) opened.set(use.id, meter)
    }
    return new OpenedMeters(uses, opened, now)
  }

  #noted(row: ObjectRow, uses: readonly CountedUse[], now: Ms): void {
    const use = uses.find(({ id }) => id === row.objectId)
    if (use !== undefined) this.#opened(row, use, now)
  }

  #opened(row: ObjectRow, { organizationId, meter: { windowMs }, key }: CountedUse, now: Ms): OpenedMeter {
    openObject(this.#keyring, row).wipe()
    const body = usageMeters.parse(row.body)
    if (row.organizationId !== organizationId || row.kind !== USAGE_METER || body.key !== key)
      throw new Bug('the row of another meter was brought')
    const { revision } = body
    const slots = slotsOf(body.slots)
    const known = this.#newest.get(row.objectId)
    const until = forgottenAt(slots, windowMs)
    // Once everything has left a meter its row may have been swept away, and a new one counts its revisions from the start.
    const isNewer = known === undefined || known.revision < revision || known.forgottenAt <= now
    if (until > now && isNewer) this.#newest.set(row.objectId, { revision, forgottenAt: until })
    return { seal: row.seal, revision, slots }
  }

  #isOld(id: string, meter: OpenedMeter | undefined, now: Ms): boolean {
    const known = this.#newest.get(id)
    return known !== undefined && known.forgottenAt > now && (meter?.revision ?? 0) < known.revision
  }
}

type OpenedMeter = { readonly seal: string; readonly revision: number; readonly slots: UsageSlots }

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

  /** Within the window of the meter. */
  before({ id, meter: { windowMs } }: CountedUse): bigint {
    return usedWithin(this.#opened.get(id)?.slots ?? [], windowMs, this.#now)
  }

  /** Within the window that ended at an instant of the past, as far as that is still known. */
  beforeThen({ id, meter: { windowMs } }: CountedUse, at: Ms): bigint {
    return usedUntil(this.#opened.get(id)?.slots ?? [], windowMs, at)
  }

  /** The changes of a request that is carried out, and what it has used with them. */
  counted(changes: Changes, { keyring, world }: Means): Changes {
    const written = this.uses.filter((use) => use.total > 0n)
    if (written.length === 0) return changes
    const rows = written.map((use) => sealObject(keyring, this.#row(use), NO_SECRET, world.randomBytes))
    const guards = written.map(({ organizationId, id }) => ({
      organizationId,
      kind: USAGE_METER,
      objectId: id,
      seal: this.#opened.get(id)?.seal ?? null,
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
    const body: UsageMeter = {
      key,
      windowMs,
      revision: (earlier?.revision ?? 0) + 1,
      slots: slots.map(([slot, amount]) => [slot, String(amount)]),
    }
    const placed = place(usageMeters, id, body, NO_SECRET)
    return {
      organizationId,
      kind: placed.kind,
      objectId: id,
      body: placed.body,
      expiresAt: placed.expiresAt,
    }
  }
}

const NO_SECRET = new Secret(new Uint8Array(0))

function slotsOf(slots: UsageMeter['slots']): UsageSlots {
  return slots.map(([slot, amount]) => [slot, BigInt(amount)])
}

export function meterIdOf({ organizationId, id }: CountedUse): MeterId {
  return { organizationId, objectId: id }
}
