import {
  list,
  named,
  object,
  oneOf,
  optional,
  refined,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { WALLET_AUTHENTICATOR_TYPES } from '../../../trusted/charter/charter.ts'
import { CREDENTIAL_TYPES } from '../../../trusted/charter/credential-types.ts'
import { times } from '../shapes.ts'

const credential = named(
  'Credential',
  object({
    publicKey: text({ max: 4096 }),
    type: oneOf(CREDENTIAL_TYPES),
    /** Present for the key of a session with a profile. */
    sessionProfileId: optional(uuid),
  }),
)

export const apiKeyShape = named(
  'ApiKey',
  object({
    credential,
    apiKeyId: uuid,
    apiKeyName: text({ max: 255 }),
    expirationSeconds: optional(told(20, { format: 'uint64' })),
    ...times,
  }),
)

export const authenticatorShape = named(
  'Authenticator',
  object({
    transports: list(told(64), { max: 10 }),
    attestationType: text({ max: 32 }),
    aaguid: text({ max: 32 }),
    credentialId: text({ max: 1364 }),
    model: text({ max: 255 }),
    credential,
    authenticatorId: uuid,
    authenticatorName: text({ max: 255 }),
    ...times,
  }),
)

export const oauthProviderShape = named(
  'OauthProvider',
  object({
    providerId: uuid,
    providerName: text({ max: 255 }),
    issuer: text({ max: 1024 }),
    audience: text({ max: 1024 }),
    subject: text({ max: 1024 }),
    ...times,
  }),
)

export const walletAuthenticatorShape = named(
  'WalletAuthenticator',
  object({
    walletAuthenticatorId: uuid,
    type: oneOf(WALLET_AUTHENTICATOR_TYPES),
    address: text({ max: 64 }),
    domain: text({ max: 255 }),
    ...times,
  }),
)

/** Text in an answer, with a more specific schema. */
function told(max: number, schema = {}) {
  return refined(text({ max }), { problem: () => undefined, schema })
}
