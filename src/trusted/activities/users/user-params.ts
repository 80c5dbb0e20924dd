import { present } from '../../base/assert.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { VerificationMeans } from '../../catalogue/activity.ts'
import { questionsAbout } from '../../catalogue/identity-tokens.ts'
import type { Question } from '../../catalogue/question.ts'
import { label, list, object, oneOf, optional, otherwise, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { noCredentials, type User } from '../../charter/charter.ts'
import type { Audiences } from '../../charter/identity-audiences.ts'
import type { RegisteredPasskey } from '../../crypto/webauthn-attestation.ts'
import {
  API_KEYS_AT_ONCE_MAX,
  apiKeyFailures,
  type ApiKeyParams,
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
import { withGoogleEmail } from '../oauth/google.ts'
import {
  checkOauthProviders,
  newOauthProvider,
  OAUTH_PROVIDERS_AT_ONCE_MAX,
  oauthProviderFailures,
  oauthProviderParamsList,
  oauthProviderParamsV1,
  type ProvenProvider,
  provenProviders,
  tokensOf,
} from '../oauth/provider-params.ts'
import {
  contactsOf,
  emailOrNone,
  invalidEmail,
  invalidPhoneNumber,
  phoneNumberOrNone,
} from '../../catalogue/contacts.ts'

export const ACCESS_TYPES = ['ACCESS_TYPE_WEB', 'ACCESS_TYPE_API', 'ACCESS_TYPE_ALL'] as const

const oauthProvidersV1 = list(oauthProviderParamsV1, { max: OAUTH_PROVIDERS_AT_ONCE_MAX })
const oauthProviders = oauthProviderParamsList

const userTags = list(uuid, { max: 100 })
/**
 * The name of a root user whose request gives none: clients that sign up somebody without an address send an empty one.
 */
export const ROOT_USER_NAME = 'Root user'

const userEmail = optional(emailOrNone)
const phone = { userPhoneNumber: optional(phoneNumberOrNone) }
const name = { userName: label, userEmail }
const rootName = { userName: otherwise(label, ROOT_USER_NAME), userEmail }
const contacts = { ...name, ...phone }
const rootContacts = { ...rootName, ...phone }
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

export const rootUserParamsV1 = object({ ...rootName, ...keysV1, authenticators })
export const rootUserParamsV2 = object({
  ...rootName,
  ...keysV1,
  authenticators,
  oauthProviders: oauthProvidersV1,
})
export const rootUserParamsV3 = object({
  ...rootName,
  ...keys,
  authenticators,
  oauthProviders: oauthProvidersV1,
})
export const rootUserParamsV4 = object({
  ...rootContacts,
  ...keys,
  authenticators,
  oauthProviders: oauthProvidersV1,
})
export const rootUserParamsV5 = object({ ...rootContacts, ...keys, authenticators, oauthProviders })

export const apiOnlyUserParams = object({ ...name, userTags, ...keysV1 })

/** The parameters of a new user, in the newest form; a root user of a new organization has no tags yet. */
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
  invalidEmail,
  invalidPhoneNumber,
  ...apiKeyFailures,
  ...attestationFailures,
  ...oauthProviderFailures,
]

/** Checks new users without looking at their organization. For `validate`. */
export async function checkNewUsers(users: readonly UserParams[], work: Work): Promise<void> {
  for (const user of users) {
    checkOauthProviders(user.oauthProviders)
    await checkNewApiKeys(user.apiKeys, work)
  }
  questionsAboutUsers(users)
}

export function apiKeysOfUsers(users: readonly UserParams[]): readonly ApiKeyParams[] {
  return users.flatMap(({ apiKeys }) => apiKeys)
}

/** The questions for the keys that verify their tokens. For `asks`. */
export function questionsAboutUsers(
  users: readonly UserParams[],
  audiences?: Audiences,
): readonly Question[] {
  const tokens = users.flatMap(({ oauthProviders: entries }) => tokensOf(entries))
  return questionsAbout(tokens, audiences)
}

/** The credentials of a user that need asynchronous verification, in the order of the request. */
export type ProvenCredentials = {
  readonly passkeys: readonly RegisteredPasskey[]
  readonly providers: readonly ProvenProvider[]
}

/** Verifies the passkeys and identity tokens of all these users, in the order of the users. For `verify`. */
export async function provenCredentials(
  users: readonly UserParams[],
  means: VerificationMeans,
): Promise<readonly ProvenCredentials[]> {
  const proven: ProvenCredentials[] = []
  for (const user of users) {
    const passkeys = await registeredPasskeys(user.authenticators, means)
    proven.push({ passkeys, providers: await provenProviders(user.oauthProviders, means) })
  }
  return proven
}

/** The new users for the charter; `withUsers` and `checkTags` check them against it. */
export function newUsers(made: {
  readonly users: readonly UserParams[]
  readonly proven: readonly ProvenCredentials[]
  readonly now: Ms
  readonly newId: () => string
}): readonly User[] {
  const { users, proven, now, newId } = made
  return users.map((params, index) =>
    newUser({ params, now, newId, proven: present(proven[index], 'the credentials of a user') }),
  )
}

/** @param proven  the verified credentials of this user */
export function newUser(made: {
  readonly params: UserParams
  readonly proven: ProvenCredentials
  readonly now: Ms
  readonly newId: () => string
}): User {
  const { params, proven, now, newId } = made
  const { passkeys, providers } = proven
  const user: User = {
    userId: newId(),
    userName: params.userName,
    ...contactsOf(params),
    ...noCredentials,
    userTags: [...new Set(params.userTags)],
    apiKeys: params.apiKeys.map((key) => newApiKey({ params: key, now, newId })),
    authenticators: newAuthenticators({ params: params.authenticators, passkeys, now, newId }),
    oauthProviders: providers.map((provider) => newOauthProvider(provider, { now, newId })),
    createdAt: now,
    updatedAt: now,
  }
  return providers.reduce((so, { googleEmail }) => withGoogleEmail(so, googleEmail), user)
}
