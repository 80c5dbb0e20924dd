import { newSigningKey, type SigningKey } from '../service/p256.ts'
import { StrangeAnswer } from '../service/answered.ts'
import { keyStamper, passkeyHandle, passkeyStamper, sessionStamper } from '../service/stamp.ts'
import { fromBase64url } from '../service/bytes.ts'
import { forgetKey, keepKey, keptKey } from './kept-key.ts'
import { lastSignOut } from './other-tabs.ts'
import { type Member, memberOf, openSession, type Session, submitted } from './session.ts'
import { organizationOf } from './user-handle.ts'

/** A working day: the key cannot leave the browser, and ends with it at the service too. */
const KEY_SECONDS = 8 * 60 * 60

/** A request has to wait for others before it is carried out. */
export class Waits extends Error {
  override readonly name = 'Waits'
}

/** A passkey that was not made by this console does not say what organization it is of. */
export class UnknownOrganization extends Error {
  override readonly name = 'UnknownOrganization'
}

/**
 * One gesture opens a session that only reads; each change is a gesture of its own.
 *
 * @param given  the organization; where it is empty, one more gesture asks the passkey for it
 */
export async function signInByPasskey(given: string): Promise<Session> {
  const told = given === '' ? await passkeyHandle() : undefined
  const organizationId = told === undefined ? given : organizationOf(told.handle)
  if (organizationId === undefined) throw new UnknownOrganization()
  let credentialId = ''
  const stamper = passkeyStamper(told?.credentialId, (used) => {
    credentialId = used
  })
  const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION'
  const activity = await submitted({ type, organizationId, parameters: {} }, stamper)
  if (activity.text('status') !== 'ACTIVITY_STATUS_COMPLETED') throw new Waits()
  const result = activity.object('result').object('createReadOnlySessionResult')
  const kept = {
    organizationId: result.text('organizationId'),
    session: result.text('session'),
    credentialId,
    expiresAt: result.number('sessionExpiry') * 1_000,
    signedOut: lastSignOut(),
  }
  const member = {
    organizationId: kept.organizationId,
    organizationName: result.text('organizationName'),
    userId: result.text('userId'),
    userName: result.text('username'),
  }
  // A key of this browser would be what a reload goes on with.
  await forgetKey()
  sessionStorage.setItem(PLACE, JSON.stringify(kept))
  return passkeySession(member, kept)
}

/** The key stamps once, for a key that this browser makes and that nobody can read; it is not kept. */
export async function signInByKey(key: SigningKey, organizationId: string): Promise<Session> {
  const own = await newSigningKey()
  const type = 'ACTIVITY_TYPE_STAMP_LOGIN'
  const parameters = { publicKey: own.publicKey, expirationSeconds: String(KEY_SECONDS) }
  const expiresAt = Date.now() + KEY_SECONDS * 1_000
  const activity = await submitted({ type, organizationId, parameters }, keyStamper(key))
  if (activity.text('status') !== 'ACTIVITY_STATUS_COMPLETED') throw new Waits()
  return await keepSession(own, activity.text('organizationId'), expiresAt)
}

/** A session whose key this browser holds, once the service knows that key. */
export async function keepSession(
  own: SigningKey,
  organizationId: string,
  expiresAt: number,
): Promise<Session> {
  const member = await memberOf(keyStamper(own), organizationId)
  sessionStorage.removeItem(PLACE)
  await keepKey({ ...own, organizationId: member.organizationId, expiresAt })
  return keySession(member, own, expiresAt)
}

/** The session that a reload of the page goes on with; undefined where there is none that counts. */
export async function keptSession(): Promise<Session | undefined> {
  // That of the tab first: the key may be of somebody who has signed in in another one since.
  const kept = keptRead()
  if (kept !== undefined && kept.expiresAt > Date.now())
    return passkeySession(await memberOf(sessionStamper(kept.session), kept.organizationId), kept)
  const key = await keptKey()
  if (key === undefined || key.expiresAt <= Date.now()) return undefined
  return keySession(await memberOf(keyStamper(key), key.organizationId), key, key.expiresAt)
}

/** Nothing of the session is left in this browser. The key of one ends at the service by its time. */
export async function signOut(): Promise<void> {
  sessionStorage.clear()
  await forgetKey()
}

type KeptRead = {
  readonly organizationId: string
  readonly session: string
  readonly credentialId: string
  readonly expiresAt: number
  /** The last sign-out before it. */
  readonly signedOut: string | null
}

/** Of this tab: it outlives a reload and not the tab. */
const PLACE = 'claviger.session'

function keptRead(): KeptRead | undefined {
  // Only `signInByPasskey` writes there.
  const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as KeptRead | null
  if (kept === null) return undefined
  if (kept.signedOut === lastSignOut()) return kept
  sessionStorage.clear()
  return undefined
}

function passkeySession(member: Member, { session, credentialId, expiresAt }: KeptRead): Session {
  if (fromBase64url(credentialId) === undefined) throw new StrangeAnswer('')
  const read = sessionStamper(session)
  return openSession(member, { way: 'passkey', expiresAt, read, write: passkeyStamper(credentialId) })
}

function keySession(member: Member, key: SigningKey, expiresAt: number): Session {
  const stamper = keyStamper(key)
  return openSession(member, { way: 'key', expiresAt, read: stamper, write: stamper })
}
