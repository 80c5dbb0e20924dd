import { assert } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { idAt, idsAt } from '../../base/ids.ts'
import type { Steps, Work } from '../../base/work.ts'
import type { Ms, World } from '../../base/world.ts'
import { Failure } from '../../base/failure.ts'
import type { Activity, Effect, Requester } from '../../catalogue/activity.ts'
import { placeEmailEvent } from '../../objects/email-event.ts'
import { placeTextEvent } from '../../objects/text-event.ts'
import type { Message } from '../../catalogue/message.ts'
import type { LookupKey, Opened, Placed } from '../../catalogue/objects.ts'
import type { Service } from '../../catalogue/service.ts'
import {
  type CharterRow,
  type DirectoryEntry,
  emptyUnit,
  type ObjectRow,
  type Unit,
} from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { writeCharter } from '../../charter/charter-document.ts'
import { userLookupSteps } from '../../charter/directory.ts'
import { passkeyRegistrations } from '../../charter/passkey-registrations.ts'
import { withProvenCredential } from '../../charter/proven-credential.ts'
import { attestationUsed } from '../../crypto/webauthn-attestation-failures.ts'
import { charactersOf } from '../../policy/compile-policy.ts'
import { entrySteps } from '../authentication/directory-entries.ts'
import { CHARTER_CHARACTERS_MAX, organizationTooLarge } from '../failures.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { OpenedRows } from './open-rows.ts'
import { costOfObject } from '../seals/row-costs.ts'
import { textsOfChange } from '../../objects/policy-text.ts'
import { sealCharter, sealJob, sealObject } from '../seals/seals.ts'
import { selfGuarded, selfGuardedState } from '../memory/self-guarded.ts'

type Carrying = {
  readonly activity: Activity
  readonly intent: unknown
  readonly charter: Charter
  readonly parent: Charter | undefined
  /** All charters that were read, its own first. */
  readonly guarded: readonly Charter[]
  readonly rows: OpenedRows
  readonly prepared: unknown
  readonly verified: unknown
  readonly requester: Requester
  readonly now: number
  /** Claims that a commit of this request has met. */
  readonly held: readonly DirectoryEntry[]
  readonly work: Work
}

/** The writes of the effect: the unit without its record. */
export type Changes = Omit<Unit, 'activity'>

/** With a failure the activity has failed, and its changes are kept anyway. */
export type Outcome = ({ readonly result: unknown } | { readonly failure: Failure }) & {
  readonly changes: Changes
}

type Means = {
  readonly keyring: Keyring
  readonly service: Service
  readonly randomBytes: World['randomBytes']
}

/** Runs the activity's own function, and seals its rows. The effect exists only once the unit is committed. */
export async function carryOut(means: Means, carrying: Carrying): Promise<Outcome> {
  const { activity, charter, now } = carrying
  const effect = await activity.execute({
    intent: carrying.intent,
    charter,
    parent: carrying.parent,
    rows: carrying.rows.gathered,
    verified: carrying.verified,
    prepared: carrying.prepared,
    requester: carrying.requester,
    now,
    work: carrying.work,
    // In the order in which they are made, which is the order of the request.
    newId: idsAt(now, means.randomBytes),
    randomBytes: means.randomBytes,
    service: means.service,
  })
  try {
    refuseHeldClaims(effect.put ?? [], carrying)
    const changes = isOfNoChange(effect)
      ? noChanges(carrying.guarded)
      : await carrying.work.through(changesOf(means, carrying, effect))
    const amended = changes.charters.some((row) => row.organizationId === charter.organizationId)
    assert(activity.amends !== false || !amended, `${activity.operation} says that it amends nothing`)
    return 'failure' in effect ? { failure: effect.failure, changes } : { result: effect.result, changes }
  } finally {
    for (const { secret } of allPlaced(effect)) secret.wipe()
  }
}

function allPlaced({ put = [], established = [] }: Effect<unknown>): readonly Placed[] {
  return [...put, ...established.flatMap((item) => item.put)]
}

/**
 * A name may only be known once the activity has been carried out, such as the public key of an import. The store then
 * detects the conflict first; at the second attempt the holder is known, and the failure names it.
 */
function refuseHeldClaims(put: readonly Placed[], { held, charter }: Carrying): void {
  if (held.length === 0) return
  const holders = new Map(
    held
      .filter(({ scope }) => scope === charter.organizationId)
      .map(({ kind, value, target }) => [nameOf({ kind, value }), target]),
  )
  for (const { objectId, claims, taken } of put) {
    for (const claim of claims) {
      const holder = holders.get(nameOf(claim))
      if (holder !== undefined && holder !== objectId) throw taken(claim, holder)
    }
  }
}

function nameOf({ kind, value }: LookupKey): string {
  return JSON.stringify([kind, value])
}

/** The scope of service-wide permanent claims; not the id of any organization. */
const EVERYWHERE = 'everywhere'

/**
 * A registration can be used once in the whole service, and its claim is never released: docs/decisions/webauthn.md.
 */
function registrationClaims(
  before: Charter | undefined,
  after: Charter,
  held: readonly DirectoryEntry[],
): readonly DirectoryEntry[] {
  const claims = passkeyRegistrations(before, after).map(
    ({ value, target }): DirectoryEntry => ({ scope: EVERYWHERE, kind: 'PASSKEY', value, target }),
  )
  const isHeld = ({ value }: DirectoryEntry): boolean =>
    held.some(
      (directoryEntry) =>
        directoryEntry.scope === EVERYWHERE &&
        directoryEntry.kind === 'PASSKEY' &&
        directoryEntry.value === value,
    )
  const isRepeated = new Set(claims.map(({ value }) => value)).size < claims.length
  if (isRepeated || claims.some(isHeld)) throw attestationUsed()
  return claims
}

/** Guards only, for a record without an effect. */
export function noChanges(guarded: readonly Charter[]): Changes {
  return { ...emptyUnit, guards: guarded.map(guardOf) }
}

function guardOf(charter: Charter): Unit['guards'][number] {
  return { organizationId: charter.organizationId, version: charter.version }
}

function* changesOf(means: Means, carrying: Carrying, effect: Effect<unknown>): Steps<Changes> {
  const { charter, rows, now } = carrying
  const { organizationId } = charter
  const sent = (effect.messages ?? []).map((message) => ({
    message,
    jobId: idAt(now, means.randomBytes),
  }))
  const put = [...(effect.put ?? []), ...handedOver(sent, now)]
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
  const texts = amended === undefined ? [] : yield* textsOfChange(charter, amended)
  const own = yield* objectChanges(means, organizationId, [...put, ...texts], before, remove)
  const ownLookups = amended === undefined ? noEntries : yield* lookupChanges(charter, amended)
  const established: Established[] = []
  for (const item of effect.established ?? []) {
    const objects = yield* objectChanges(means, item.charter.organizationId, item.put, [], [])
    const lookups = yield* lookupChanges(undefined, item.charter)
    established.push({ charter: item.charter, objects, lookups })
  }
  const registrations = [
    ...(amended === undefined ? [] : registrationClaims(charter, amended, carrying.held)),
    ...established.flatMap((item) => registrationClaims(undefined, item.charter, carrying.held)),
  ]
  const objectParts = [own, ...established.map((item) => item.objects)]
  const lookupParts = [ownLookups, ...established.map((item) => item.lookups)]
  const charters: CharterRow[] = []
  for (const item of [
    ...(amended === undefined ? [] : [amended]),
    ...established.map(({ charter: of }) => of),
  ]) {
    const characters = item.policies.reduce((sum, policy) => sum + charactersOf(policy), 0)
    yield costs.row + characters * costs.charterCharacter
    const row = sealCharter(means.keyring, item)
    checkSize(row, item === amended ? charter : undefined)
    // How long the rest is shows once it is written.
    yield Math.max(0, row.body.length - characters) * costs.charterCharacter
    charters.push(row)
  }
  const jobs = sent.map(({ message, jobId }) =>
    sealJob(
      means.keyring,
      { organizationId, jobId, kind: message.channel, createdAt: now },
      message,
      means.randomBytes,
    ),
  )
  return {
    guards: [
      ...carrying.guarded.map(guardOf),
      ...established.map((item) => ({ organizationId: item.charter.organizationId, version: 0 })),
    ],
    objectGuards: objectGuards(organizationId, put, before, remove),
    jobs,
    ...(effect.revived === undefined ? {} : { revived: { scope: organizationId, ...effect.revived } }),
    charters,
    objects: {
      put: objectParts.flatMap((part) => part.objects.put),
      remove: objectParts.flatMap((part) => part.objects.remove),
    },
    claims: merged([...objectParts.map((part) => part.claims), { put: registrations, remove: [] }]),
    directory: merged([...objectParts.map((part) => part.directory), ...lookupParts]),
  }
}

/** The events that messages were queued for sending. */
function handedOver(
  sent: readonly { readonly message: Message; readonly jobId: string }[],
  now: Ms,
): readonly Placed[] {
  return sent.map(({ message, jobId }) =>
    message.channel === 'email' ? placeEmailEvent(message, jobId, now) : placeTextEvent(message, jobId, now),
  )
}

/** A charter that exceeded the limit before the limit existed may shrink. */
function checkSize({ body: { length: characters } }: CharterRow, before: Charter | undefined): void {
  if (characters <= CHARTER_CHARACTERS_MAX) return
  if (before === undefined || characters > writeCharter(before).length)
    throw organizationTooLarge({ characters })
}

/** As every signature is. */
function isOfNoChange({ charter, put, remove, established, messages, revived }: Effect<unknown>): boolean {
  return [charter, put, remove, established, messages, revived].every((part) => part === undefined)
}

/** Self-guarded rows must be as they were brought, and rows that were not brought must not exist. */
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
  // A later row could not be distinguished from the removed one.
  assert(
    remove.every(({ kind }) => kind.guardedBy !== 'row'),
    'a row that guards itself is written over, and stays until it is swept away',
  )
  return placed
}

type Entries = { readonly put: readonly DirectoryEntry[]; readonly remove: readonly DirectoryEntry[] }

const noEntries: Entries = { put: [], remove: [] }

type ObjectChanges = Pick<Changes, 'objects' | 'claims' | 'directory'>
type Established = { readonly charter: Charter; readonly objects: ObjectChanges; readonly lookups: Entries }

function* objectChanges(
  means: Means,
  organizationId: string,
  put: readonly Placed[],
  before: readonly Opened<unknown>[],
  remove: readonly Opened<unknown>[],
): Steps<ObjectChanges> {
  const scope = organizationId
  const entries = (target: string, found: readonly LookupKey[]) =>
    found.map(({ kind, value }): DirectoryEntry => ({ scope, kind, value, target }))
  const claims = new Difference()
  const directory = new Difference()
  for (const { objectId, kind, body } of before) {
    yield costs.removedRow
    claims.had(entries(objectId, kind.claims(body)))
    directory.had(entries(objectId, kind.entries(body)))
  }
  const sealed: ObjectRow[] = []
  for (const placed of put) {
    yield costOfObject(placed)
    const row = rowOf(organizationId, placed, before)
    sealed.push(sealObject(means.keyring, row, placed.secret, means.randomBytes))
    claims.has(entries(placed.objectId, placed.claims))
    directory.has(entries(placed.objectId, placed.entries))
  }
  const removed = remove.map(({ objectId, kind }) => ({ organizationId, kind: kind.kind, objectId }))
  return {
    objects: { put: sealed, remove: removed },
    claims: claims.entries(),
    directory: directory.entries(),
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

/**
 * The changes of the directory when one charter replaces another. Of users who stay as they are, only the entries are
 * looked at that others come or go with.
 */
export function* lookupChanges(before: Charter | undefined, after: Charter): Steps<Entries> {
  const same = before === undefined || before.deleted || after.deleted ? [] : sameUsers(before, after)
  const unchanged = new Set(same)
  const othersOf = ({ users }: Charter) => users.filter((user) => !unchanged.has(user))
  const changed = new Difference()
  if (before !== undefined) changed.had(yield* entrySteps(before, othersOf(before)))
  changed.has(yield* entrySteps(after, othersOf(after)))
  const { put, remove } = changed.entries()
  const values = new Set([...put, ...remove].map(({ value }) => value))
  const stays = new Set<string>()
  if (values.size > 0)
    for (const lookup of yield* userLookupSteps(same)) if (values.has(lookup.value)) stays.add(nameOf(lookup))
  const isChanged = (entry: DirectoryEntry): boolean => !stays.has(nameOf(entry))
  return { put: put.filter(isChanged), remove: remove.filter(isChanged) }
}

function sameUsers(before: Charter, after: Charter): Charter['users'] {
  const known = new Set(before.users)
  return after.users.filter((user) => known.has(user))
}

/** The added and the removed entries. */
class Difference {
  readonly #had = new Map<string, DirectoryEntry>()
  readonly #has = new Map<string, DirectoryEntry>()

  had(entries: readonly DirectoryEntry[]): void {
    for (const entry of entries) this.#had.set(textOf(entry), entry)
  }

  has(entries: readonly DirectoryEntry[]): void {
    for (const entry of entries) this.#has.set(textOf(entry), entry)
  }

  entries(): Entries {
    const only = (ones: ReadonlyMap<string, DirectoryEntry>, others: ReadonlyMap<string, DirectoryEntry>) =>
      [...ones].flatMap(([text, entry]) => (others.has(text) ? [] : [entry]))
    return { put: only(this.#has, this.#had), remove: only(this.#had, this.#has) }
  }
}

function textOf({ scope, kind, value, target }: DirectoryEntry): string {
  return JSON.stringify([scope, kind, value, target])
}

function merged(parts: readonly Entries[]): Entries {
  return { put: parts.flatMap((part) => part.put), remove: parts.flatMap((part) => part.remove) }
}
