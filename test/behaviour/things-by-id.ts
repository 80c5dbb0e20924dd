import { anOauth2Credential, aProvider } from './identities.ts'
import { aSecret } from './secret-things.ts'
import {
  anActivity,
  aContractInterface,
  anApiKey,
  anAuthenticator,
  anInvitation,
  anMfaPolicy,
  anotherUser,
  aPolicy,
  aPrivateKey,
  aTag,
  aVelocityControl,
  aWallet,
  aWalletAuthenticator,
  aWebhookEndpoint,
} from './things.ts'
import type { Setting } from './fixture.ts'

type In = Pick<Setting, 'service' | 'by'>

/** The id of what was made under this name in one organization; asked again for the same, it is the same. */
export type Ids = (name: string) => Promise<string>

/**
 * What is made for an id of this name. What belongs to a user belongs to the one of `userId`, as requests say of the
 * two. An id that is not here is of what the activity makes that answers it.
 */
export const thingsById: { readonly [name: string]: (setting: In, idOf: Ids) => Promise<string> } = {
  activityId: anActivity,
  userId: async (setting) => (await anotherUser(setting)).userId,
  userTagId: async (setting) => await aTag(setting, 'user'),
  apiKeyId: async (setting, idOf) => await anApiKey(setting, await idOf('userId')),
  authenticatorId: async (setting, idOf) => await anAuthenticator(setting, await idOf('userId')),
  providerId: async (setting, idOf) => await aProvider(setting, await idOf('userId')),
  walletAuthenticatorId: async (setting, idOf) => await aWalletAuthenticator(setting, await idOf('userId')),
  mfaPolicyId: async (setting, idOf) => await anMfaPolicy(setting, await idOf('userId')),
  invitationId: anInvitation,
  privateKeyId: async (setting) => (await aPrivateKey(setting)).privateKeyId,
  privateKeyTagId: async (setting) => await aTag(setting, 'private_key'),
  walletId: async (setting) => (await aWallet(setting)).walletId,
  walletAccountId: async (setting) => (await aWallet(setting, 'Of the account')).walletAccountId,
  secretId: async (setting) => await aSecret(setting),
  oauth2CredentialId: anOauth2Credential,
  policyId: aPolicy,
  velocityControlId: aVelocityControl,
  endpointId: aWebhookEndpoint,
  smartContractInterfaceId: aContractInterface,
}
