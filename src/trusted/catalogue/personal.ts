import { isUuid } from '../base/ids.ts'
import { isJsonObject, type JsonValue } from '../base/strict-json.ts'

/**
 * Whose personal data the intent and the result of an activity say, for the erasure of a deleted user:
 *
 *     made      each entry of a list of the intent says those of one user, whose id is at the same place of a list of
 *               the result; fields beside the list say those of the user whose contact is in one of them, or of the
 *               only user
 *     one       all of it says those of one user: whom the result or the intent names as `userId`, or whom the session
 *               of the result is for; for one's own credentials without such an id it is the sender
 *     contact   all of it says those of the user whose contact, identity elsewhere or wallet is in it
 *     contacts  each entry of a list of the intent says those of the user whose contact is in it
 */
export type Personal =
  | {
      readonly of: 'made'
      readonly entries: string
      readonly ids: string
      readonly beside?: readonly string[]
    }
  | { readonly of: 'one' }
  | { readonly of: 'contact' }
  | { readonly of: 'contacts'; readonly entries: string }

/** Stands where a text was. Nobody has it as a contact. */
export const ERASED = '[erased]'

/** The same where an answer has to have an address, in a domain that there never is (RFC 2606, section 2). */
const ERASED_ADDRESS = 'erased@erased.invalid'

/**
 * The same value without what it says of a person: each text is erased but ids, public keys, signatures, times, and
 * words of which the interface has a closed list. So it keeps its shape.
 */
export function withoutPersonal(value: JsonValue, name = ''): JsonValue {
  if (typeof value === 'string') return value === '' || isKept(name, value) ? value : erasedText(name)
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutPersonal(entry, key)]))
  return isList(value) ? value.map((entry) => withoutPersonal(entry, name)) : value
}

export function isErased(text: string): boolean {
  return text === ERASED || text === ERASED_ADDRESS
}

function erasedText(name: string): string {
  if (name === 'userEmail' || name === 'userPhoneNumber') return ''
  return ADDRESSES.has(name) ? ERASED_ADDRESS : ERASED
}

/** Every text in it. */
export function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn)
  return isList(value) ? value.flatMap(textsIn) : []
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** What the first form of a passkey has as `id` is what the device calls it, and no id of ours. */
function isKept(name: string, text: string): boolean {
  return KEPT.has(name) || (ID.test(name) && isUuid(text))
}

const ID = /^id$|Ids?$/

const ADDRESSES: ReadonlySet<string> = new Set(['email', 'receiverUserEmail'])

/** A field that is missing here is erased. */
const KEPT: ReadonlySet<string> = new Set([
  'accessType',
  'credentialBundle',
  'curveType',
  'encryptedOtpBundle',
  'expirationSeconds',
  'nanos',
  'organizationName',
  'otpEncryptionTargetBundle',
  'otpType',
  'publicKey',
  'receiverUserTags',
  'scheme',
  'seconds',
  'session',
  'sessionExpiry',
  'signature',
  'targetPublicKey',
  'transports',
  'type',
  'userTags',
])
