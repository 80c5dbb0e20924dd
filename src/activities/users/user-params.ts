import { present } from '../../base/assert.ts'
import type { Ms } from '../../base/world.ts'
import { label, list, object, oneOf, optional, text, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { noCredentials, type User } from '../../charter/charter.ts'
import type { RegisteredPasskey } from '../../crypto/webauthn-attestation.ts'
import {
  API_KEYS_AT_ONCE_MAX,
  apiKeyFailures,
  apiKeyParams,
  apiKeyParamsV1,
  checkNewApiKeys,
  newApiKey,
  onP256,
} from '../credentials/api-key-params.ts'
import {
  attestationFailures,
  authenticatorParams,
  authenticatorParamsV1,
  AUTHENTICATORS_AT_ONCE_MAX,
  authenticatorUp,
  newAuthenticators,
  registeredPasskeys,
} from '../credentials/authenticator-params.ts'
import { contactsOf, emailOrNone, invalidEmail, invalidPhoneNumber, phoneNumberOrNone } from './contacts.ts'
import { notSupported } from './not-supported.ts'

export const ACCESS_TYPES = ['ACCESS_TYPE_WEB', 'ACCESS_TYPE_API', 'ACCESS_TYPE_ALL'] as const

// Read so that the interface is whole; `checkNewUsers` refuses any.
const oidcToken = text({ max: 16_384 })
const claim = text({ max: 1024 })
const oauthProvidersV1 = list(object({ providerName: label, oidcToken }), { max: 10 })
const oauthProviders = list(
  object({
    providerName: label,
    oidcToken: optional(oidcToken),
    oidcClaims: optional(object({ iss: claim, sub: claim, aud: claim })),
  }),
  { max: 10 },
)

const userTags = list(uuid, { max: 100 })
const name = { userName: label, userEmail: optional(emailOrNone) }
const contacts = { ...name, userPhoneNumber: optional(phoneNumberOrNone) }
const keysV1 = { apiKeys: list(apiKeyParamsV1, { max: API_KEYS_AT_ONCE_MAX }) }
const keys = { apiKeys: list(apiKeyParams, { max: API_KEYS_AT_ONCE_MAX }) }
const authenticators = list(authenticatorParams, { max: AUTHENTICATORS_AT_ONCE_MAX })
const authenticatorsV1 = list(authenticatorParamsV1, { max: AUTHENTICATORS_AT_ONCE_MAX })

export const userParamsV1 = object({
  ...name,
  accessType: oneOf(ACCESS_TYPES),
  ...keysV1,
  authenticators: authenticatorsV1,
  userTags,
})
export const userParamsV2 = object({ ...name, ...keysV1, authenticators, userTags })
export const userParamsV3 = object({
  ...contacts,
  ...keys,
  authenticators,
  oauthProviders: oauthProvidersV1,
  userTags,
})
export const userParamsV4 = object({ ...contacts, ...keys, authenticators, oauthProviders, userTags })

export const rootUserParamsV1 = object({ ...name, ...keysV1, authenticators })
export const rootUserParamsV2 = object({
  ...name,
  ...keysV1,
  authenticators,
  oauthProviders: oauthProvidersV1,
})
export const rootUserParamsV3 = object({
  ...name,
  ...keys,
  authenticators,
  oauthProviders: oauthProvidersV1,
})
export const rootUserParamsV4 = object({
  ...contacts,
  ...keys,
  authenticators,
  oauthProviders: oauthProvidersV1,
})
export const rootUserParamsV5 = object({ ...contacts, ...keys, authenticators, oauthProviders })

export const apiOnlyUserParams = object({ ...name, userTags, ...keysV1 })

/** A user as anyone may ask for one, in the newest form; a root user of a new organization has no tags yet. */
export type UserParams = TypeOf<typeof rootUserParamsV5> & { readonly userTags?: readonly string[] }

export function userV1Up(older: TypeOf<typeof userParamsV1>): TypeOf<typeof userParamsV2> {
  const { accessType: _, ...rest } = older
  return { ...rest, authenticators: older.authenticators.map(authenticatorUp) }
}

export function userV2Up(older: TypeOf<typeof userParamsV2>): TypeOf<typeof userParamsV3> {
  return { ...older, apiKeys: older.apiKeys.map(onP256), oauthProviders: [] }
}

export function rootUserV1Up(older: TypeOf<typeof rootUserParamsV1>): TypeOf<typeof rootUserParamsV2> {
  return { ...older, oauthProviders: [] }
}

export function rootUserV2Up(older: TypeOf<typeof rootUserParamsV2>): TypeOf<typeof rootUserParamsV3> {
  return { ...older, apiKeys: older.apiKeys.map(onP256) }
}

export function apiOnlyUserUp(only: TypeOf<typeof apiOnlyUserParams>): UserParams {
  return { ...only, apiKeys: only.apiKeys.map(onP256), authenticators: [], oauthProviders: [] }
}

export const newUserFailures = [
  notSupported,
  invalidEmail,
  invalidPhoneNumber,
  ...apiKeyFailures,
  ...attestationFailures,
]

/** Refuses what can be seen to be wrong of new users without looking at their organization. For `validate`. */
export function checkNewUsers(users: readonly UserParams[]): void {
  for (const user of users) {
    if (user.oauthProviders.length > 0) throw notSupported({ what: 'OAuth providers are' })
    checkNewApiKeys(user.apiKeys)
  }
}

/**
 * Verifies the passkeys of all these users: a list for each user, in the order of the users. For `witness`.
 *
 * @param origins  of `passkeyOrigins`; anywhere when undefined
 */
export async function passkeysOf(
  users: readonly UserParams[],
  origins: readonly string[] | undefined,
): Promise<readonly (readonly RegisteredPasskey[])[]> {
  return await Promise.all(users.map((user) => registeredPasskeys(user.authenticators, origins)))
}

/** The users as they will stand in the charter; whether they may stand there is for `withUsers` and `checkTags` to say. */
export function newUsers(made: {
  readonly users: readonly UserParams[]
  readonly passkeys: readonly (readonly RegisteredPasskey[])[]
  readonly now: Ms
  readonly newId: () => string
}): readonly User[] {
  const { users, passkeys, now, newId } = made
  return users.map((params, index) =>
    newUser({ params, now, newId, passkeys: present(passkeys[index], 'the passkeys of a user') }),
  )
}

/** @param passkeys  what was verified of this user's authenticators, in their order */
export function newUser(made: {
  readonly params: UserParams
  readonly passkeys: readonly RegisteredPasskey[]
  readonly now: Ms
  readonly newId: () => string
}): User {
  const { params, passkeys, now, newId } = made
  return {
    userId: newId(),
    userName: params.userName,
    ...contactsOf(params),
    ...noCredentials,
    userTags: [...new Set(params.userTags)],
    apiKeys: params.apiKeys.map((key) => newApiKey({ params: key, now, newId })),
    authenticators: newAuthenticators({ params: params.authenticators, passkeys, now, newId }),
    createdAt: now,
    updatedAt: now,
  }
}
