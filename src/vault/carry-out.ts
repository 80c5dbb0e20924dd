import { assert } from '../base/assert.ts'
import { costs } from '../base/costs.ts'
import { idAt, idsAt } from '../base/ids.ts'
import type { Work } from '../base/work.ts'
import type { World } from '../base/world.ts'
import { Failure } from '../base/failure.ts'
import type { Activity, Effect, Requester } from '../catalogue/activity.ts'
import type { Opened, Placed } from '../catalogue/objects.ts'
import type { Service } from '../catalogue/service.ts'
import type { DirectoryEntry, ObjectRow, Unit } from '../catalogue/unit.ts'
import type { Charter } from '../charter/charter.ts'
import { lookupsOf, webhookTargetsOf } from '../charter/directory.ts'
import { passkeyRegistrations } from '../charter/passkey-registrations.ts'
import { withProvenCredential } from '../charter/proven-credential.ts'
import { attestationUsed } from '../crypto/webauthn-attestation-failures.ts'
import type { Keyring } from './keyring.ts'
import type { OpenedRows } from './open-rows.ts'
import { textsOfChange } from './policy-texts.ts'
import { sealCharter, sealErrand, sealObject } from './seals.ts'
import { selfGuarded, selfGuardedState } from './self-guarded.ts'

export type Carrying = {
  readonly activity: Activity
  readonly intent: unknown
  readonly charter: Charter
  readonly parent: Charter | undefined
  /** All charters that were looked at, its own first. */
  readonly guarded: readonly Charter[]
  readonly rows: OpenedRows
  readonly prepared: unknown
  readonly witness: unknown
  readonly requester: Requester
  readonly now: number
  /** Claims that a commit of this request has met. */
  readonly held: readonly DirectoryEntry[]
  readonly work: Work
}

/** What the effect writes: the unit without its record. */
export type Changes = Omit<Unit, 'activity'>

/** With a failure it has failed, and its changes are kept all the same. */
export type Outcome = ({ readonly result: unknown } | { readonly failure: Failure }) & {
  readonly changes: Changes
}

export type Means = { readonly keyring: Keyring; readonly world: World; readonly service: Service }

/** Runs the activity's own function, and seals what it leaves behind. Nothing has happened until the unit is committed. */
export async function carryOut(means: Means, carrying: Carrying): Promise<Outcome> {
  const { activity, charter, now } = carrying
  const effect = await activity.execute({
    intent: carrying.intent,
    charter,
    parent: carrying.parent,
    rows: carrying.rows.gathered,
    witness: carrying.witness,
    prepared: carrying.prepared,
    requester: carrying.requester,
    now,
    work: carrying.work,
    // In the order in which they are made, which is the order of the request.
    newId: idsAt(now, means.world.randomBytes),
    randomBytes: means.world.randomBytes,
    service: means.service,
  })
  try {
    carrying.work.charge(allPlaced(effect).length * costs.row)
    const turn = carrying.work.pause()
    if (turn !== undefined) await turn
    refuseHeldClaims(effect.put ?? [], carrying)
    const changes = changesOf(means, carrying, effect)
    const amended = changes.charters.some((row) => row.organizationId === charter.organizationId)
    assert(activity.amends !== false || !amended, `${activity.operation} says that it amends nothing`)
    return 'failure' in effect ? { failure: effect.failure, changes } : { result: effect.result, changes }
  } finally {
    for (const { secret } of allPlaced(effect)) secret.wipe()
  }
}

function allPlaced({ put = [], founded = [] }: Effect<unknown>): readonly Placed[] {
  return [...put, ...founded.flatMap((one) => one.put)]
}

/**
 * A name may only be known once the activity has been carried out, such as the public key of an import. That it is taken is
 * then first seen by the store; the second time the holder is known, and named.
 */
function refuseHeldClaims(put: readonly Placed[], { held, charter }: Carrying): void {
  if (held.length === 0) return
  for (const { objectId, claims, taken } of put) {
    for (const claim of claims) {
      const holder = held.find(
        ({ scope, kind, value, target }) =>
          scope === charter.organizationId &&
          kind === claim.kind &&
          value === claim.value &&
          target !== objectId,
      )
      if (holder !== undefined) throw taken(claim, holder.target)
    }
  }
}

/** The scope of names that are claimed in the whole service, once and for good: it is the id of no organization. */
const EVERYWHERE = 'everywhere'

/** A registration serves once in the whole service, and its claim is never given back: docs/decisions/webauthn.md. */
function registrationClaims(
  before: Charter | undefined,
  after: Charter,
  held: readonly DirectoryEntry[],
): readonly DirectoryEntry[] {
  const claims = passkeyRegistrations(before, after).map(
    ({ value, target }): DirectoryEntry => ({ scope: EVERYWHERE, kind: 'PASSKEY', value, target }),
  )
  const isHeld = ({ value }: DirectoryEntry): boolean =>
    held.some((one) => one.scope === EVERYWHERE && one.kind === 'PASSKEY' && one.value === value)
  const isRepeated = new Set(claims.map(({ value }) => value)).size < claims.length
  if (isRepeated || claims.some(isHeld)) throw attestationUsed()
  return claims
}

/** Only the guards: for a record that comes with no effect. */
export function noChanges(guarded: readonly Charter[]): Changes {
  return { ...NO_CHANGES, guards: guarded.map(guardOf) }
}

const NONE = { put: [], remove: [] }

/** What a unit is without anything to write. */
export const NO_CHANGES: Changes = {
  guards: [],
  objectGuards: [],
  charters: [],
  objects: NONE,
  claims: NONE,
  directory: NONE,
  errands: [],
}

export function guardOf(charter: Charter): Unit['guards'][number] {
  return { organizationId: charter.organizationId, version: charter.version }
}

function changesOf(means: Means, carrying: Carrying, effect: Effect<unknown>): Changes {
  if (isOfNoChange(effect)) return noChanges(carrying.guarded)
  const { charter, rows, now } = carrying
  const { organizationId } = charter
  const put = effect.put ?? []
  const remove = effect.remove ?? []
  const replaced = new Set(put.map(({ kind, objectId }) => `${kind} ${objectId}`))
  const removed = new Set(remove)
  const before = rows.all.filter(
    (row) => replaced.has(`${row.kind.kind} ${row.objectId}`) || removed.has(row),
  )
  // Whatever a decision may have read belongs to the version: changing a row that was there amends the charter too,
  // unless nothing but its own kind of decision ever reads it, which is then guarded by the row itself.
  const amends = effect.charter !== undefined || before.some(({ kind }) => kind.guardedBy !== 'row')
  const amended = amends
    ? {
        ...withProvenCredential(effect.charter ?? charter, carrying.requester),
        organizationId,
        version: charter.version + 1,
        updatedAt: now,
      }
    : undefined
  const texts = amended === undefined ? [] : textsOfChange(charter, amended)
  const own = objectChanges(means, organizationId, [...put, ...texts], before, remove)
  const ownLookups = amended === undefined ? noEntries : lookupChanges(charter, amended)
  const founded = (effect.founded ?? []).map((one) => {
    const objects = objectChanges(means, one.charter.organizationId, one.put, [], [])
    return { charter: one.charter, objects, lookups: lookupChanges(undefined, one.charter) }
  })
  const registrations = [
    ...(amended === undefined ? [] : registrationClaims(charter, amended, carrying.held)),
    ...founded.flatMap((one) => registrationClaims(undefined, one.charter, carrying.held)),
  ]
  const objectParts = [own, ...founded.map((one) => one.objects)]
  const lookupParts = [ownLookups, ...founded.map((one) => one.lookups)]
  const errands = (effect.messages ?? []).map((message) =>
    sealErrand(
      means.keyring,
      { organizationId, errandId: idAt(now, means.world.randomBytes), kind: message.channel, createdAt: now },
      message,
      means.world.randomBytes,
    ),
  )
  return {
    guards: [
      ...carrying.guarded.map(guardOf),
      ...founded.map((one) => ({ organizationId: one.charter.organizationId, version: 0 })),
    ],
    objectGuards: objectGuards(organizationId, put, before, remove),
    errands,
    charters: [...(amended === undefined ? [] : [amended]), ...founded.map((one) => one.charter)].map((one) =>
      sealCharter(means.keyring, one),
    ),
    objects: {
      put: objectParts.flatMap((part) => part.put),
      remove: objectParts.flatMap((part) => part.remove),
    },
    claims: merged([...objectParts.map((part) => part.claims), { put: registrations, remove: [] }]),
    directory: merged([...objectParts.map((part) => part.directory), ...lookupParts]),
  }
}

/** As every signature is. */
function isOfNoChange({ charter, put, remove, founded, messages }: Effect<unknown>): boolean {
  return [charter, put, remove, founded, messages].every((part) => part === undefined)
}

/** Rows that guard themselves must be as they were brought, and those that were not brought must not be there. */
function objectGuards(
  organizationId: string,
  put: readonly Placed[],
  before: readonly Opened<unknown>[],
  remove: readonly Opened<unknown>[],
): Unit['objectGuards'] {
  const placed = put
    .filter(({ isRowGuarded }) => isRowGuarded)
    .map(({ kind, objectId }) => {
      const earlier = before.find((row) => row.kind.kind === kind && row.objectId === objectId)
      return { organizationId, kind, objectId, seal: earlier?.seal ?? null }
    })
  // A later one could not be told from the one that was removed.
  assert(
    remove.every(({ kind }) => kind.guardedBy !== 'row'),
    'a row that guards itself is written over, and stays until it is swept away',
  )
  return placed
}

type Entries = { readonly put: readonly DirectoryEntry[]; readonly remove: readonly DirectoryEntry[] }

const noEntries: Entries = { put: [], remove: [] }

function objectChanges(
  means: Means,
  organizationId: string,
  put: readonly Placed[],
  before: readonly Opened<unknown>[],
  remove: readonly Opened<unknown>[],
) {
  const scope = organizationId
  const entries = (target: string, found: readonly { readonly kind: string; readonly value: string }[]) =>
    found.map(({ kind, value }): DirectoryEntry => ({ scope, kind, value, target }))
  return {
    put: put.map((placed) =>
      sealObject(
        means.keyring,
        rowOf(organizationId, placed, before),
        placed.secret,
        means.world.randomBytes,
      ),
    ),
    remove: remove.map(({ objectId, kind }) => ({ organizationId, kind: kind.kind, objectId })),
    claims: difference(
      before.flatMap((row) => entries(row.objectId, row.kind.claims(row.body))),
      put.flatMap((row) => entries(row.objectId, row.claims)),
    ),
    directory: difference(
      before.flatMap((row) => entries(row.objectId, row.kind.entries(row.body))),
      put.flatMap((row) => entries(row.objectId, row.entries)),
    ),
  }
}

function rowOf(
  organizationId: string,
  placed: Placed,
  before: readonly Opened<unknown>[],
): Omit<ObjectRow, 'seal'> {
  const { objectId, kind, body, expiresAt } = placed
  if (!placed.isRowGuarded) return { organizationId, kind, objectId, body, expiresAt }
  const earlier = before.find((row) => row.kind.kind === kind && row.objectId === objectId)
  const state = earlier && selfGuardedState(earlier.kind, earlier.body, earlier.seal)
  return selfGuarded(organizationId, placed, state)
}

function lookupChanges(before: Charter | undefined, after: Charter): Entries {
  return difference(before === undefined ? [] : entriesOf(before), entriesOf(after))
}

/** A sub-organization is found from its parent by what stands in its charter; and everyone who wants to be told, from their own. */
function entriesOf(charter: Charter): readonly DirectoryEntry[] {
  const { parentId, organizationId } = charter
  const lookups = parentId === null ? [] : lookupsOf(charter)
  return [
    ...lookups.map(({ kind, value }) => ({ scope: parentId ?? '', kind, value, target: organizationId })),
    ...webhookTargetsOf(charter).map((target) => ({
      scope: organizationId,
      kind: 'WEBHOOK',
      value: '',
      target,
    })),
  ]
}

function difference(before: readonly DirectoryEntry[], after: readonly DirectoryEntry[]): Entries {
  const text = ({ scope, kind, value, target }: DirectoryEntry) =>
    JSON.stringify([scope, kind, value, target])
  const had = new Set(before.map(text))
  const has = new Set(after.map(text))
  return {
    put: after.filter((entry) => !had.has(text(entry))),
    remove: before.filter((entry) => !has.has(text(entry))),
  }
}

function merged(parts: readonly Entries[]): Entries {
  return { put: parts.flatMap((part) => part.put), remove: parts.flatMap((part) => part.remove) }
}
