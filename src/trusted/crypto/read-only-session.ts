import type { KeyObject } from 'node:crypto'
import { concat, fromBase64url, toBase64url, utf8 } from '../base/bytes.ts'
import { defineFailure, Failure, UNAUTHENTICATED } from '../base/failure.ts'
import { type JsonObject, readJsonObject } from '../base/strict-json.ts'
import type { Ms } from '../base/world.ts'
import { hmacSha256, verifyHmacSha256 } from './hmac.ts'

/** A session whose text lets any holder read as the user. */
export type ReadOnlySession = {
  readonly id: string
  readonly organizationId: string
  readonly userId: string
  readonly expiresAt: Ms
}

/** One text for every reason: the maker of a forged session learns nothing about the check. */
const readOnlySessionNotAccepted = defineFailure({
  kind: 'readOnlySessionNotAccepted',
  code: UNAUTHENTICATED,
  say: () => 'could not verify the session (X-Session header)',
  errorCode: 'SIGNATURE_INVALID',
})

const readOnlySessionExpired = defineFailure({
  kind: 'readOnlySessionExpired',
  code: UNAUTHENTICATED,
  say: () => 'the session has expired (X-Session header)',
  errorCode: 'SIGNATURE_INVALID',
})

/**
 * @param key  for HMAC-SHA256, used for nothing else
 * @returns    base64url of JSON, a dot, base64url of its tag (32 bytes)
 */
export function sealReadOnlySession(session: ReadOnlySession, key: KeyObject): string {
  const { id, organizationId, userId, expiresAt } = session
  const json = utf8(JSON.stringify({ id, organizationId, userId, expiresAt }))
  return `${toBase64url(json)}.${toBase64url(hmacSha256(key, DOMAIN, json))}`
}

/**
 * @param keys  one of them sealed the session
 * @throws      Failures `readOnlySessionNotAccepted`, `readOnlySessionExpired`
 */
export function openReadOnlySession(text: string, keys: readonly KeyObject[], now: Ms): ReadOnlySession {
  const [json, tag] = text.length > lengthMax ? [] : text.split('.').map(fromBase64url)
  if (json === undefined || tag === undefined) throw readOnlySessionNotAccepted()
  const key = keys.find((one) => verifyHmacSha256(one, concat(DOMAIN, json), tag))
  if (key === undefined) throw readOnlySessionNotAccepted()
  const session = readSession(json)
  // Another spelling of the text (padding, a third part) was not issued by the service.
  if (session === undefined || sealReadOnlySession(session, key) !== text) throw readOnlySessionNotAccepted()
  if (session.expiresAt <= now) throw readOnlySessionExpired()
  return session
}

const DOMAIN = utf8('read-only session 1\0')

// Three ids and a time have about 300 characters.
const lengthMax = 4096

function readSession(bytes: Uint8Array): ReadOnlySession | undefined {
  const { id, organizationId, userId, expiresAt } = readSessionJson(bytes)
  if (typeof id !== 'string' || typeof organizationId !== 'string' || typeof userId !== 'string')
    return undefined
  return typeof expiresAt === 'number' ? { id, organizationId, userId, expiresAt } : undefined
}

function readSessionJson(bytes: Uint8Array): JsonObject {
  try {
    return readJsonObject(bytes)
  } catch (error) {
    if (error instanceof Failure) throw readOnlySessionNotAccepted()
    throw error
  }
}
