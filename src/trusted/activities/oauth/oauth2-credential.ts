import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../../base/failure.ts'
import { fromUtf8 } from '../../base/bytes.ts'
import { object, oneOf, refined, text, type TypeOf } from '../../catalogue/shape.ts'
import type { Service } from '../../catalogue/service.ts'
import type { Charter, Oauth2Credential } from '../../charter/charter.ts'
import {
  openQuorumEnvelope,
  quorumEnvelopeNotOpened,
  renewedQuorumEnvelope,
} from '../../crypto/quorum-envelope.ts'
import { limits, tooMany } from '../../charter/limits.ts'
import { placed } from '../../charter/placed.ts'

const OAUTH2_PROVIDERS = ['OAUTH2_PROVIDER_X', 'OAUTH2_PROVIDER_DISCORD'] as const

const CLIENT_SECRET_CHARACTERS_MAX = 1024

/** The fields that identify a credential: the app of the organization at the provider. */
export const oauth2CredentialFields = {
  provider: oneOf(OAUTH2_PROVIDERS),
  clientId: text({ max: 255 }),
  encryptedClientSecret: refined(text({ max: 4096 }), {
    problem: (value) => (/^([0-9a-fA-F]{2})*$/.test(value) ? undefined : 'must be hexadecimal'),
  }),
}
const fields = object(oauth2CredentialFields)
type Oauth2CredentialParams = TypeOf<typeof fields>

export const mustBeSet = defineFailure<{ readonly name: string }>({
  kind: 'mustBeSet',
  code: INVALID_ARGUMENT,
  say: ({ name }) => `${name} must be set`,
})

export const onlyParentsHaveOauth2Credentials = defineFailure<{ readonly organizationId: string }>({
  kind: 'onlyParentsHaveOauth2Credentials',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is a sub-organization: credentials of OAuth 2.0 providers belong to its parent`,
})

export const oauth2CredentialNotFound = defineFailure<{ readonly oauth2CredentialId: string }>({
  kind: 'oauth2CredentialNotFound',
  code: NOT_FOUND,
  errorCode: 'OAUTH2_CREDENTIAL_NOT_FOUND',
  say: ({ oauth2CredentialId }) => `could not find oauth2 credential ${oauth2CredentialId}`,
})

const invalidClientSecret = defineFailure({
  kind: 'invalidClientSecret',
  code: INVALID_ARGUMENT,
  say: () => `invalid client secret: it must be 1 to ${CLIENT_SECRET_CHARACTERS_MAX} characters of UTF-8`,
})

export const oauth2CredentialFailures = [
  mustBeSet,
  onlyParentsHaveOauth2Credentials,
  oauth2CredentialNotFound,
  quorumEnvelopeNotOpened,
  invalidClientSecret,
]

/** For `validate`. */
export function checkOauth2Credential({ clientId, encryptedClientSecret }: Oauth2CredentialParams): void {
  if (clientId === '') throw mustBeSet({ name: 'client_id' })
  if (encryptedClientSecret === '') throw mustBeSet({ name: 'encrypted_client_secret' })
}

/**
 * The credential to store, after checking that its secret opens, so that the error does not first appear at a login. A
 * secret that a client encrypted to another version of the key is stored under the current one.
 */
export function keptOauth2Credential(
  { provider, clientId, encryptedClientSecret }: Oauth2CredentialParams,
  { oauth2Secrets }: Pick<Service, 'oauth2Secrets'>,
  randomBytes: (length: number) => Uint8Array,
): Pick<Oauth2Credential, 'provider' | 'clientId' | 'encryptedClientSecret'> {
  const sent = { provider, clientId, encryptedClientSecret: encryptedClientSecret.toLowerCase() }
  clientSecretOf(sent, oauth2Secrets)
  const renewed = renewedQuorumEnvelope(sent.encryptedClientSecret, oauth2Secrets, randomBytes)
  return renewed === undefined ? sent : { ...sent, encryptedClientSecret: renewed }
}

/** The client secret in the clear. It leaves the vault in a question to the provider, and is not stored. */
export function clientSecretOf(
  { encryptedClientSecret }: Pick<Oauth2Credential, 'encryptedClientSecret'>,
  oauth2Secrets: readonly Uint8Array[],
): string {
  const bytes = openQuorumEnvelope(encryptedClientSecret, oauth2Secrets)
  const secret = fromUtf8(bytes) ?? ''
  bytes.fill(0)
  if (secret === '' || secret.length > CLIENT_SECRET_CHARACTERS_MAX) throw invalidClientSecret()
  return secret
}

export function requireParent({ organizationId, parentId }: Charter): void {
  if (parentId !== null) throw onlyParentsHaveOauth2Credentials({ organizationId })
}

export function knownOauth2Credential(
  { oauth2Credentials }: Charter,
  oauth2CredentialId: string,
): Oauth2Credential {
  const found = oauth2Credentials.find(
    (oauth2Credential) => oauth2Credential.oauth2CredentialId === oauth2CredentialId,
  )
  if (found === undefined) throw oauth2CredentialNotFound({ oauth2CredentialId })
  return found
}

/** The charter with this credential added, or in the place of the one with its id. */
export function withOauth2Credential(charter: Charter, credential: Oauth2Credential): Charter {
  const { oauth2CredentialId: id } = credential
  const oauth2Credentials = placed(
    charter.oauth2Credentials,
    credential,
    ({ oauth2CredentialId }) => oauth2CredentialId === id,
  )
  if (oauth2Credentials.length > limits.oauth2Credentials)
    throw tooMany({ what: 'oauth2 credentials', max: limits.oauth2Credentials })
  return { ...charter, oauth2Credentials }
}
