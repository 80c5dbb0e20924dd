import { lowerAscii } from '../../base/lower-ascii.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { isErased, isList } from '../../catalogue/personal.ts'
import type { Charter } from '../../charter/charter.ts'
import { userView } from '../../charter/view.ts'
import { readJwt } from '../../crypto/jwt.ts'

/**
 * The values by which a request can identify a person without an id: e-mail addresses, phone numbers, accounts at
 * issuers (issuer and subject) and wallet addresses, each in one spelling.
 */
export type Handles = ReadonlySet<string>

/** The handles in an intent, a result or the snapshot of a user, including those inside tokens. */
export function handlesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return handlesIn(claimsOf(value) ?? null)
  if (isList(value)) return value.flatMap(handlesIn)
  if (!isJsonObject(value)) return []
  return [...ownHandles(value), ...Object.values(value).flatMap(handlesIn)]
}

/** The handles of all current users of an organization. */
export function handlesOfUsers({ users }: Pick<Charter, 'users'>): Handles {
  return new Set(users.flatMap((user) => handlesIn(userView(user))))
}

const CONTACTS = ['userEmail', 'userPhoneNumber', 'receiverUserEmail', 'email', 'contact', 'address'] as const

function ownHandles(value: JsonObject): readonly string[] {
  const contacts = CONTACTS.map((name) => value[name])
  // The second line of a message to sign in with a wallet is its address (EIP-4361).
  const { issuer, subject, iss, sub, message } = value
  const signedIn = typeof message === 'string' ? message.split('\n')[1] : undefined
  return [
    ...[...contacts, signedIn].flatMap((text) => (isText(text) ? [lowerAscii(text)] : [])),
    ...(isText(issuer) && isText(subject) ? [`${issuer} ${subject}`] : []),
    ...(isText(iss) && isText(sub) ? [`${iss} ${sub}`] : []),
  ]
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !isErased(value)
}

/**
 * Of a JWT, with or without its signature. It is read like a token that is accepted: anybody can have a request refused
 * with claims of any depth.
 */
export function claimsOf(text: string): JsonObject | undefined {
  return readJwt(text)?.payload
}
