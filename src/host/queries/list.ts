import type { Query } from '../../trusted/catalogue/query.ts'
import { whoami } from './users/whoami.ts'
import { getPolicy } from './policies/get-policy.ts'
import { listPolicies } from './policies/list-policies.ts'
import { getActivePolicies } from './policies/get-active-policies.ts'
import { getVelocityControl } from './velocity-controls/get-velocity-control.ts'
import { listVelocityControls } from './velocity-controls/list-velocity-controls.ts'
import { listAppProofs } from './proofs/list-app-proofs.ts'
import { getPrivateKey } from './private-keys/get-private-key.ts'
import { listPrivateKeys } from './private-keys/list-private-keys.ts'
import { listPrivateKeyTags } from './private-keys/list-private-key-tags.ts'
import { getActivity } from './activities/get-activity.ts'
import { listActivities } from './activities/list-activities.ts'
import { getPolicyEvaluations } from './activities/get-policy-evaluations.ts'
import { getOrganizationConfigs } from './organizations/get-organization-configs.ts'
import { listSuborgs } from './organizations/list-suborgs.ts'
import { getUser } from './users/get-user.ts'
import { listUsers } from './users/list-users.ts'
import { getApiKey } from './users/get-api-key.ts'
import { getApiKeys } from './users/get-api-keys.ts'
import { getAuthenticator } from './users/get-authenticator.ts'
import { getAuthenticators } from './users/get-authenticators.ts'
import { getWalletAuthenticators } from './users/get-wallet-authenticators.ts'
import { getOauthProviders } from './oauth/get-oauth-providers.ts'
import { getOauth2Credential } from './oauth/get-oauth2-credential.ts'
import { listOauth2Credentials } from './oauth/list-oauth2-credentials.ts'
import { listVerifiedSuborgs } from './organizations/list-verified-suborgs.ts'
import { listUserTags } from './users/list-user-tags.ts'
import { getOrganization } from './organizations/get-organization.ts'
import { getMfaPolicies } from './mfa/get-mfa-policies.ts'
import { getMfaPolicy } from './mfa/get-mfa-policy.ts'
import { getMfaStatus } from './mfa/get-mfa-status.ts'
import { getClientAddress } from './access/get-client-address.ts'
import { getIpAllowlist } from './access/get-ip-allowlist.ts'
import { listWebhookEndpoints } from './webhooks/list-webhook-endpoints.ts'
import { getSessionProfile } from './sessions/get-session-profile.ts'
import { getSessionProfiles } from './sessions/get-session-profiles.ts'
import { listEmailEvents } from './messages/list-email-events.ts'
import { listSecrets } from './secrets/list-secrets.ts'
import { getWallet } from './wallets/get-wallet.ts'
import { listWallets } from './wallets/list-wallets.ts'
import { getWalletAccount } from './wallets/get-wallet-account.ts'
import { listWalletAccounts } from './wallets/list-wallet-accounts.ts'
import { tryActivity } from './rehearsals/try-activity.ts'
import { explainActivity } from './rehearsals/explain-activity.ts'
import { replayPolicies } from './rehearsals/replay-policies.ts'
import { getSmartContractInterface } from './contracts/get-smart-contract-interface.ts'
import { listSmartContractInterfaces } from './contracts/list-smart-contract-interfaces.ts'
import { listActivitySummaries } from './activities/list-activity-summaries.ts'
import { searchSuborgs } from './organizations/search-suborgs.ts'
import { listInvitations } from './organizations/list-invitations.ts'
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts'
import { listSentMessages } from './messages/list-sent-messages.ts'
import { listLimitUsage } from './limits/list-limit-usage.ts'
import { listQuotas } from './limits/list-quotas.ts'
import { listLastUses } from './users/list-last-uses.ts'

/** Every query of the service. */
export const queries: readonly Query[] = [
  whoami,
  getPolicy,
  listPolicies,
  getActivePolicies,
  getVelocityControl,
  listVelocityControls,
  getPrivateKey,
  listPrivateKeys,
  listPrivateKeyTags,
  getActivity,
  listActivities,
  getPolicyEvaluations,
  listAppProofs,
  getOrganizationConfigs,
  listSuborgs,
  getUser,
  listUsers,
  getApiKey,
  getApiKeys,
  getAuthenticator,
  getAuthenticators,
  getWalletAuthenticators,
  getOauthProviders,
  getOauth2Credential,
  listOauth2Credentials,
  listVerifiedSuborgs,
  listUserTags,
  getOrganization,
  getMfaPolicies,
  getMfaPolicy,
  getMfaStatus,
  getClientAddress,
  getIpAllowlist,
  listWebhookEndpoints,
  getSessionProfile,
  getSessionProfiles,
  listEmailEvents,
  listSecrets,
  getWallet,
  listWallets,
  getWalletAccount,
  listWalletAccounts,
  getSmartContractInterface,
  listSmartContractInterfaces,
  tryActivity,
  explainActivity,
  replayPolicies,
  listActivitySummaries,
  searchSuborgs,
  listInvitations,
  listWebhookDeliveries,
  listSentMessages,
  listLimitUsage,
  listQuotas,
  listLastUses,
]
