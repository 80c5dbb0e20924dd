import { assert } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { idAt } from '../../base/ids.ts'
import type { Steps } from '../../base/work.ts'
import type { Ms, World } from '../../base/world.ts'
import type { Effect, Requester } from '../../catalogue/activity.ts'
import type { Message } from '../../catalogue/message.ts'
import type { LookupKey, Opened, Placed } from '../../catalogue/objects.ts'
import {
  type CharterRow,
  type DirectoryEntry,
  emptyUnit,
  type ObjectRow,
  type Unit,
} from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { writeCharter } from '../../charter/charter-document.ts'
import { passkeyRegistrations } from '../../charter/passkey-registrations.ts'
import { withProvenCredential } from '../../charter/proven-credential.ts'
import { attestationUsed } from '../../crypto/webauthn-attestation-failures.ts'
import { placeEmailEvent } from '../../objects/email-event.ts'
import { textsOfChange } from '../../objects/policy-text.ts'
import { placeTextEvent } from '../../objects/text-event.ts'
import { charactersOf } from '../../policy/compile-policy.ts'
import { CHARTER_CHARACTERS_MAX, organizationTooLarge } from '../failures.ts'
import type { Keyring } from '../keys/keyring.ts'
import { selfGuarded, selfGuardedState } from '../memory/self-guarded.ts'
import { costOfObject } from '../seals/row-costs.ts'
import { sealCharter, sealJob, sealObject } from '../seals/seals.ts'
import { Difference, type Entries, lookupChanges, merged } from './directory-changes.ts'
import type { OpenedRows } from './open-rows.ts'

/** The writes of the effect: the unit without its record. */
export type Changes = Omit<Unit, 'activity'>

type Means = { readonly keyring: Keyring; readonly randomBytes: World['randomBytes'] }

/** What an effect was computed from. */
export type Carried = {
  readonly charter: Charter
  /** All charters that were read, its own first. */
  readonly guarded: readonly Charter[]
  readonly rows: OpenedRows
  readonly requester: Requester
  readonly now: Ms
  /** Claims that a commit of this request has met. */
  readonly held: readonly DirectoryEntry[]
}

/** Guards only, for a record without an effect. */
export function noChanges(guarded: readonly Charter[]): Changes {
  return { ...emptyUnit, guards: guarded.map(guardOf) }
}

function guardOf(charter: Charter): Unit['guards'][number] {
  return { organizationId: charter.organizationId, version: charter.version }
}

/**
 * The writes of an effect, sealed. The charter has its next version if the effect amends it.
 *
 * @throws Failure `attestationUsed` or `organizationTooLarge`
 */
export function* changesOf(means: Means, carried: Carried, effect: Effect<unknown>): Steps<Changes> {
  const { charter, now } = carried
  const { organizationId } = charter
  const { remove = [], established = [] } = effect
  const sent = (effect.messages ?? []).map((message) => ({
    message,
    jobId: idAt(now, means.randomBytes),
  }))
  const put = [...(effect.put ?? []), ...handedOver(sent, now)]
  const before = rowsBefore(carried.rows, put, remove)
  const amended = amendedBy(effect, before, carried)
  const texts = amended === undefined ? [] : yield* textsOfChange(charter, amended)
  const objects = [yield* objectChanges(means, organizationId, [...put, ...texts], before, remove)]
  for (const item of established)
    objects.push(yield* objectChanges(means, item.charter.organizationId, item.put, [], []))
  const charters: CharterChanges[] = []
  if (amended !== undefined)
    charters.push(yield* charterChanges(means.keyring, charter, amended, carried.held))
  for (const item of established)
    charters.push(yield* charterChanges(means.keyring, undefined, item.charter, carried.held))
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
      ...carried.guarded.map(guardOf),
      ...established.map((item) => ({ organizationId: item.charter.organizationId, version: 0 })),
    ],
    objectGuards: objectGuards(organizationId, put, before, remove),
    jobs,
    ...(effect.revived === undefined ? {} : { revived: { scope: organizationId, ...effect.revived } }),
    charters: charters.map(({ row }) => row),
    objects: {
      put: objects.flatMap((part) => part.objects.put),
      remove: objects.flatMap((part) => part.objects.remove),
    },
    claims: merged([
      ...objects.map((part) => part.claims),
      { put: charters.flatMap((part) => part.registrations), remove: [] },
    ]),
    directory: merged([...objects, ...charters].map((part) => part.directory)),
  }
}

/** The rows that were there of what is put or removed. */
function rowsBefore(
  rows: OpenedRows,
  put: readonly Placed[],
  remove: readonly Opened<unknown>[],
): readonly Opened<unknown>[] {
  const replaced = new Set(put.map(({ kind, objectId }) => `${kind} ${objectId}`))
  const removed = new Set(remove)
  return rows.all.filter((row) => replaced.has(`${row.kind.kind} ${row.objectId}`) || removed.has(row))
}

/**
 * Whatever a decision may have read belongs to the version: changing a row that was there amends the charter too,
 * unless nothing but its own kind of decision ever reads it, which is then guarded by the row itself.
 */
function amendedBy(
  effect: Effect<unknown>,
  before: readonly Opened<unknown>[],
  { charter, requester, now }: Carried,
): Charter | undefined {
  if (effect.charter === undefined && before.every(({ kind }) => kind.guardedBy === 'row')) return undefined
  return {
    ...withProvenCredential(effect.charter ?? charter, requester),
    organizationId: charter.organizationId,
    version: charter.version + 1,
    updatedAt: now,
  }
}

type CharterChanges = {
  readonly row: CharterRow
  readonly directory: Entries
  readonly registrations: readonly DirectoryEntry[]
}

function* charterChanges(
  keyring: Keyring,
  before: Charter | undefined,
  after: Charter,
  held: readonly DirectoryEntry[],
): Steps<CharterChanges> {
  const directory = yield* lookupChanges(before, after)
  const registrations = registrationClaims(before, after, held)
  const characters = after.policies.reduce((sum, policy) => sum + charactersOf(policy), 0)
  yield costs.row + characters * costs.charterCharacter
  const row = sealCharter(keyring, after)
  checkSize(row, before)
  // How long the rest is shows once it is written.
  yield Math.max(0, row.body.length - characters) * costs.charterCharacter
  return { row, directory, registrations }
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

/** A charter that exceeded the limit before the limit existed may shrink. */
function checkSize({ body: { length: characters } }: CharterRow, before: Charter | undefined): void {
  if (characters <= CHARTER_CHARACTERS_MAX) return
  if (before === undefined || characters > writeCharter(before).length)
    throw organizationTooLarge({ characters })
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

type ObjectChanges = Pick<Changes, 'objects' | 'claims' | 'directory'>

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
