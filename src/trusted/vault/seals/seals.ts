import { Bug } from '../../base/assert.ts'
import { asBuffer, fromBase64url, toBase64url, utf8, equalBytes } from '../../base/bytes.ts'
import { joined, type Parts } from '../../base/joined.ts'
import { Secret } from '../../base/secret.ts'
import type { Message } from '../../catalogue/message.ts'
import { recordValues } from '../../catalogue/record-values.ts'
import type { ActivityRow, CharterRow, JobRow, ObjectRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { readCharter, writeCharter } from '../../charter/charter-document.ts'
import { open as openAead, seal as sealAead } from '../../crypto/aead.ts'
import { GCM_NONCE_LENGTH } from '../../crypto/aes-gcm.ts'
import { hmacSha256, verifyHmacSha256 } from '../../crypto/hmac.ts'
import type { Keyring, SealedKind } from '../keys/keyring.ts'
import type { ProofOrigin, RootProof } from '../../../protocol/vault.ts'
import { rootVersionOf } from '../keys/seal-text.ts'
import { UnknownRootVersion } from '../keys/unknown-root-version.ts'

type RandomBytes = (length: number) => Uint8Array

/**
 * Stored data differs from the data that the vault sealed. It is never used for decisions; an operator must
 * investigate.
 */
export class Tampered extends Bug {
  constructor(what: string) {
    super(`stored data does not carry the vault's seal: ${what}`)
  }
}

export function sealCharter(keyring: Keyring, charter: Charter): CharterRow {
  const row = {
    organizationId: charter.organizationId,
    version: charter.version,
    body: writeCharter(charter),
  }
  return { ...row, seal: seal(keyring, 'charter', charterParts(row)) }
}

/** Its version and organization must be those of the sealed body, and the columns must agree. */
export function openCharter(keyring: Keyring, row: CharterRow): Charter {
  const what = `charter of organization ${row.organizationId}, version ${row.version}`
  if (!holds(keyring, 'charter', charterParts(row), row.seal)) throw unopened(keyring, what, row)
  const charter = readCharter(row.body)
  if (charter.version !== row.version || charter.organizationId !== row.organizationId)
    throw new Tampered(what)
  return charter
}

export function sealActivity(keyring: Keyring, row: Omit<ActivityRow, 'seal'>): ActivityRow {
  return { ...row, seal: seal(keyring, 'activity', recordValues(row)) }
}

export function checkActivity(keyring: Keyring, row: ActivityRow): void {
  if (!holds(keyring, 'activity', recordValues(row), row.seal))
    throw unopened(keyring, `activity ${row.activityId} of organization ${row.organizationId}`, row)
}

/** @param secret  it is encrypted; the body stays in the clear and is bound to it */
export function sealObject(
  keyring: Keyring,
  row: Omit<ObjectRow, 'seal'>,
  secret: Secret,
  randomBytes: (length: number) => Uint8Array,
): ObjectRow {
  const key = keyring.objectKey(row.organizationId, keyring.version)
  const sealed = sealAead({
    key,
    nonce: randomBytes(GCM_NONCE_LENGTH),
    plaintext: secret.reveal(),
    aad: joined(objectParts(row)),
  })
  return { ...row, seal: sealText(keyring.version, sealed) }
}

export function openObject(keyring: Keyring, row: ObjectRow): Secret {
  const secret = openedObject(keyring, row)
  if (secret === undefined)
    throw unopened(keyring, `${row.kind} ${row.objectId} of organization ${row.organizationId}`, row)
  return new Secret(secret)
}

function openedObject(
  keyring: Keyring,
  row: ObjectRow,
  isHeld: Keyring['holds'] = keyring.holds,
): Uint8Array | undefined {
  const parts = sealParts(isHeld, row.seal)
  if (parts === undefined) return undefined
  const { version, bytes: sealed, joined: join } = parts
  return openAead({
    key: keyring.objectKey(row.organizationId, version),
    sealed,
    aad: join(objectParts(row)),
  })
}

function unopened(keyring: Keyring, what: string, { seal }: { readonly seal: string }): Bug {
  const version = rootVersionOf(seal)
  return version === undefined || keyring.holds(version)
    ? new Tampered(what)
    : new UnknownRootVersion(what, version)
}

/** Whether a known seal is over the same row as another, verified seal: the row was resealed. */
export function fitsCharter(keyring: Keyring, row: CharterRow, seal: string): boolean {
  return holds(keyring, 'charter', charterParts(row), seal, keyring.hasHeld)
}

export function fitsActivity(keyring: Keyring, row: ActivityRow, seal: string): boolean {
  return holds(keyring, 'activity', recordValues(row), seal, keyring.hasHeld)
}

export function fitsObject(keyring: Keyring, row: ObjectRow, seal: string): boolean {
  const one = openedObject(keyring, row)
  const other = openedObject(keyring, { ...row, seal }, keyring.hasHeld)
  const isSame = one !== undefined && other !== undefined && equalBytes(one, other)
  one?.fill(0)
  other?.fill(0)
  return isSame
}

/** The content of a message is encrypted until it is sent. */
export function sealJob(
  keyring: Keyring,
  row: Omit<JobRow, 'seal'>,
  message: Message,
  randomBytes: (length: number) => Uint8Array,
): JobRow {
  const sealed = sealAead({
    key: keyring.objectKey(row.organizationId, keyring.version),
    nonce: randomBytes(GCM_NONCE_LENGTH),
    plaintext: utf8(JSON.stringify(message)),
    aad: joined(jobParts(row)),
  })
  return { ...row, seal: sealText(keyring.version, sealed) }
}

export function openJob(keyring: Keyring, row: JobRow): Message {
  const parts = sealParts(keyring.holds, row.seal)
  const plaintext =
    parts === undefined
      ? undefined
      : openAead({
          key: keyring.objectKey(row.organizationId, parts.version),
          sealed: parts.bytes,
          aad: parts.joined(jobParts(row)),
        })
  if (plaintext === undefined)
    throw unopened(keyring, `job ${row.jobId} of organization ${row.organizationId}`, row)
  // Its seal says that this vault wrote it, and it writes no other shape.
  return JSON.parse(asBuffer(plaintext).toString('utf8')) as Message
}

/** The same rows under the current sealing version; the content is verified before, and stays unchanged. */
export function resealedCharter(keyring: Keyring, row: CharterRow): string {
  openCharter(keyring, row)
  return seal(keyring, 'charter', charterParts(row))
}

export function resealedActivity(keyring: Keyring, row: ActivityRow): string {
  checkActivity(keyring, row)
  return sealActivity(keyring, row).seal
}

export function resealedObject(keyring: Keyring, row: ObjectRow, randomBytes: RandomBytes): string {
  const secret = openObject(keyring, row)
  const resealed = sealObject(keyring, row, secret, randomBytes)
  secret.wipe()
  return resealed.seal
}

export function resealedJob(keyring: Keyring, row: JobRow, randomBytes: RandomBytes): string {
  return sealJob(keyring, row, openJob(keyring, row), randomBytes).seal
}

/** The digest of an erased part of a record, bound to the record and to the part. */
export function erasedDigest(
  keyring: Keyring,
  { organizationId, activityId }: Pick<ActivityRow, 'organizationId' | 'activityId'>,
  part: string,
  text: string,
): string {
  return seal(keyring, 'erased', [organizationId, activityId, part, text])
}

/** Seals the counts of a pass over the rows of a store; counts of other vaults are not accepted. */
export function sealCount(keyring: Keyring, count: Parts): string {
  return seal(keyring, 'reseal-pass', count)
}

/**
 * Under the sealing version only: otherwise an attacker with an older version could claim that no rows are left under
 * it.
 */
export function isOwnCount(keyring: Keyring, count: Parts, given: string): boolean {
  return rootVersionOf(given) === keyring.version && holds(keyring, 'reseal-pass', count, given)
}

/** Bound to the root key and a challenge, without any other use. */
export function rootProof(keyring: Keyring, challenge: string): string {
  return seal(keyring, 'root-proof', [challenge])
}

/** Whether this root key made the proof, with any version that it still holds. */
export function proofOrigin(keyring: Keyring, { challenge, proof }: RootProof): ProofOrigin {
  const version = rootVersionOf(proof)
  if (version !== undefined && !keyring.holds(version)) return 'unheld'
  if (version === undefined || !holds(keyring, 'root-proof', [challenge], proof)) return 'foreign'
  return version > keyring.version ? 'newer' : 'own'
}

function seal(keyring: Keyring, kind: SealedKind, parts: Parts): string {
  return sealText(keyring.version, hmacSha256(keyring.sealKey(kind, keyring.version), joined(parts)))
}

function holds(
  keyring: Keyring,
  kind: SealedKind,
  over: Parts,
  given: string,
  isHeld: Keyring['holds'] = keyring.holds,
): boolean {
  const parts = sealParts(isHeld, given)
  return (
    parts !== undefined &&
    verifyHmacSha256(keyring.sealKey(kind, parts.version), parts.joined(over), parts.bytes)
  )
}

/** `joined` gives the bytes that a seal of this format covers. */
type SealParts = {
  readonly version: number
  readonly bytes: Uint8Array
  readonly joined: (parts: Parts) => Uint8Array
}

// A list begins with a text, and the beginnings of the two formats differ, so they cannot be confused.
const FORMATS: ReadonlyMap<string, SealParts['joined']> = new Map([
  ['1', joinedUntyped],
  ['2', joined],
])
const NEWEST_FORMAT = '2'

function sealText(version: number, bytes: Uint8Array): string {
  return `${NEWEST_FORMAT}.${version}.${toBase64url(bytes)}`
}

/** Undefined where it is not a seal, or its root key version is not in the key ring. */
function sealParts(isHeld: Keyring['holds'], text: string): SealParts | undefined {
  const [format = '', version, sealed, ...more] = text.split('.')
  const join = FORMATS.get(format)
  if (join === undefined || !/^[1-9]\d{0,5}$/.test(version ?? '') || sealed === undefined || more.length > 0)
    return undefined
  const bytes = fromBase64url(sealed)
  return bytes === undefined || toBase64url(bytes) !== sealed || !isHeld(Number(version))
    ? undefined
    : { version: Number(version), bytes, joined: join }
}

function charterParts(row: Omit<CharterRow, 'seal'>): Parts {
  return [row.organizationId, row.version, row.body]
}

function objectParts(row: Omit<ObjectRow, 'seal' | 'expiresAt'>): Parts {
  return [row.organizationId, row.kind, row.objectId, row.body]
}

function jobParts(row: Omit<JobRow, 'seal'>): Parts {
  return ['errand', row.organizationId, row.kind, row.jobId, row.createdAt]
}

/** The first format, for older data: lengths in UTF-16 units, and 9 is "9". Types are checked before. */
function joinedUntyped(parts: Parts): Uint8Array {
  let text = ''
  for (const part of parts) {
    const shown = part === null ? '' : String(part)
    text += part === null ? '-:' : `${shown.length}:${shown}`
  }
  return utf8(text)
}
