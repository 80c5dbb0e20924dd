import { Bug } from '../base/assert.ts'
import { asBuffer, fromBase64url, toBase64url, utf8 } from '../base/bytes.ts'
import { Secret } from '../base/secret.ts'
import type { Message } from '../catalogue/message.ts'
import type { ActivityRow, CharterRow, ErrandRow, ObjectRow } from '../catalogue/unit.ts'
import { type Charter, readCharter } from '../charter/charter.ts'
import { open as openAead, seal as sealAead } from '../crypto/aead.ts'
import { GCM_NONCE_LENGTH } from '../crypto/aes-gcm.ts'
import { hmacSha256, verifyHmacSha256 } from '../crypto/hmac.ts'
import type { Keyring, SealedKind } from './keyring.ts'
import type { RootProof } from './protocol.ts'

/** Stored data is not what the vault sealed. It is never decided on; an operator has to look. */
export class Tampered extends Bug {
  constructor(what: string) {
    super(`stored data does not carry the vault's seal: ${what}`)
  }
}

export function sealCharter(keyring: Keyring, charter: Charter): CharterRow {
  const row = {
    organizationId: charter.organizationId,
    version: charter.version,
    body: JSON.stringify(charter),
  }
  return { ...row, seal: seal(keyring, 'charter', charterText(row)) }
}

export function openCharter(keyring: Keyring, row: CharterRow): Charter {
  if (!holds(keyring, 'charter', charterText(row), row.seal))
    throw new Tampered(`charter of organization ${row.organizationId}, version ${row.version}`)
  return readCharter(row.body)
}

export function sealActivity(keyring: Keyring, row: Omit<ActivityRow, 'seal'>): ActivityRow {
  return { ...row, seal: seal(keyring, 'activity', activityText(row)) }
}

export function checkActivity(keyring: Keyring, row: ActivityRow): void {
  if (!holds(keyring, 'activity', activityText(row), row.seal))
    throw new Tampered(`activity ${row.activityId} of organization ${row.organizationId}`)
}

/** @param secret  it is encrypted, and the body is bound to them in the clear */
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
    aad: utf8(objectText(row)),
  })
  return { ...row, seal: sealText(keyring.version, sealed) }
}

export function openObject(keyring: Keyring, row: ObjectRow): Secret {
  const parts = sealParts(keyring, row.seal)
  const secret =
    parts === undefined
      ? undefined
      : openAead({
          key: keyring.objectKey(row.organizationId, parts.version),
          sealed: parts.bytes,
          aad: utf8(objectText(row)),
        })
  if (secret === undefined)
    throw new Tampered(`${row.kind} ${row.objectId} of organization ${row.organizationId}`)
  return new Secret(secret)
}

/** What a message says is nobody's to read until it is sent. */
export function sealErrand(
  keyring: Keyring,
  row: Omit<ErrandRow, 'seal'>,
  message: Message,
  randomBytes: (length: number) => Uint8Array,
): ErrandRow {
  const sealed = sealAead({
    key: keyring.objectKey(row.organizationId, keyring.version),
    nonce: randomBytes(GCM_NONCE_LENGTH),
    plaintext: utf8(JSON.stringify(message)),
    aad: utf8(errandText(row)),
  })
  return { ...row, seal: sealText(keyring.version, sealed) }
}

export function openErrand(keyring: Keyring, row: ErrandRow): Message {
  const parts = sealParts(keyring, row.seal)
  const plaintext =
    parts === undefined
      ? undefined
      : openAead({
          key: keyring.objectKey(row.organizationId, parts.version),
          sealed: parts.bytes,
          aad: utf8(errandText(row)),
        })
  if (plaintext === undefined)
    throw new Tampered(`errand ${row.errandId} of organization ${row.organizationId}`)
  // Its seal says that this vault wrote it, and it writes no other shape.
  return JSON.parse(asBuffer(plaintext).toString('utf8')) as Message
}

/** Bound to the root key and a challenge, and of use for nothing else. */
export function rootProof(keyring: Keyring, challenge: string): string {
  return seal(keyring, 'root-proof', joined([challenge]))
}

/** Whether this root key made the proof, with any version that it still holds. */
export function checkRootProof(keyring: Keyring, { challenge, proof }: RootProof): boolean {
  return holds(keyring, 'root-proof', joined([challenge]), proof)
}

function seal(keyring: Keyring, kind: SealedKind, text: string): string {
  return sealText(keyring.version, hmacSha256(keyring.sealKey(kind, keyring.version), utf8(text)))
}

function holds(keyring: Keyring, kind: SealedKind, text: string, given: string): boolean {
  const parts = sealParts(keyring, given)
  return (
    parts !== undefined && verifyHmacSha256(keyring.sealKey(kind, parts.version), utf8(text), parts.bytes)
  )
}

const FORMAT = '1'

function sealText(version: number, bytes: Uint8Array): string {
  return `${FORMAT}.${version}.${toBase64url(bytes)}`
}

/** Undefined where it is no seal, or one of a root key version that is not in the key ring. */
function sealParts(
  keyring: Keyring,
  text: string,
): { readonly version: number; readonly bytes: Uint8Array } | undefined {
  const [format, version, sealed, ...more] = text.split('.')
  if (format !== FORMAT || !/^[1-9]\d{0,5}$/.test(version ?? '') || sealed === undefined || more.length > 0)
    return undefined
  const bytes = fromBase64url(sealed)
  return bytes === undefined || toBase64url(bytes) !== sealed || !keyring.holds(Number(version))
    ? undefined
    : { version: Number(version), bytes }
}

function charterText(row: Omit<CharterRow, 'seal'>): string {
  return joined([row.organizationId, row.version, row.body])
}

function objectText(row: Omit<ObjectRow, 'seal' | 'expiresAt'>): string {
  return joined([row.organizationId, row.kind, row.objectId, row.body])
}

function errandText(row: Omit<ErrandRow, 'seal'>): string {
  return joined(['errand', row.organizationId, row.kind, row.errandId, row.createdAt])
}

function activityText(row: Omit<ActivityRow, 'seal'>): string {
  return joined([
    row.organizationId,
    row.activityId,
    row.fingerprint,
    row.timestampMs,
    row.type,
    row.status,
    row.awaited,
    row.revision,
    row.createdAt,
    row.updatedAt,
    row.intent,
    row.result,
    row.failure,
    row.votes,
    row.evaluations,
    row.voters,
  ])
}

/** One text from many, such that no two lists of parts give the same: each part follows its length, and null is not empty. */
function joined(parts: readonly (string | number | null)[]): string {
  let text = ''
  for (const part of parts) {
    const shown = part === null ? '' : String(part)
    text += part === null ? '-:' : `${shown.length}:${shown}`
  }
  return text
}
