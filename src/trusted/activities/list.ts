import type { Activity } from '../catalogue/activity.ts'
import { createPrivateKeys } from './private-keys/create-private-keys.ts'
import { signRawPayload } from './signing/sign-raw-payload.ts'
import { approveActivity } from './consensus/approve-activity.ts'
import { rejectActivity } from './consensus/reject-activity.ts'
import { createPolicy } from './policies/create-policy.ts'
import { createPolicies } from './policies/create-policies.ts'
import { updatePolicy } from './policies/update-policy.ts'
import { deletePolicy } from './policies/delete-policy.ts'
import { deletePolicies } from './policies/delete-policies.ts'
import { createVelocityControl } from './velocity-controls/create-velocity-control.ts'
import { deleteVelocityControl } from './velocity-controls/delete-velocity-control.ts'
import { updateOrganizationName } from './organizations/update-organization-name.ts'
import { updateRootQuorum } from './organizations/update-root-quorum.ts'
import { setOrganizationFeature } from './organizations/set-organization-feature.ts'
import { removeOrganizationFeature } from './organizations/remove-organization-feature.ts'
import { deleteSubOrganization } from './organizations/delete-sub-organization.ts'
import { createUsers } from './users/create-users.ts'
import { createApiOnlyUsers } from './users/create-api-only-users.ts'
import { updateUser } from './users/update-user.ts'
import { updateUserName } from './users/update-user-name.ts'
import { updateUserEmail } from './users/update-user-email.ts'
import { updateUserPhoneNumber } from './users/update-user-phone-number.ts'
import { deleteUsers } from './users/delete-users.ts'
import { createUserTag } from './users/create-user-tag.ts'
import { updateUserTag } from './users/update-user-tag.ts'
import { deleteUserTags } from './users/delete-user-tags.ts'
import { createInvitations } from './users/create-invitations.ts'
import { deleteInvitation } from './users/delete-invitation.ts'
import { createApiKeys } from './credentials/create-api-keys.ts'
import { deleteApiKeys } from './credentials/delete-api-keys.ts'
import { createAuthenticators } from './credentials/create-authenticators.ts'
import { deleteAuthenticators } from './credentials/delete-authenticators.ts'
import { createSubOrganization } from './organizations/create-sub-organization.ts'
import { signTransaction } from './signing/sign-transaction.ts'
import { signRawPayloads } from './signing/sign-raw-payloads.ts'
import { initImportPrivateKey } from './private-keys/init-import-private-key.ts'
import { importPrivateKey } from './private-keys/import-private-key.ts'
import { exportPrivateKey } from './private-keys/export-private-key.ts'
import { deletePrivateKeys } from './private-keys/delete-private-keys.ts'
import { createPrivateKeyTag } from './private-keys/create-private-key-tag.ts'
import { updatePrivateKeyTag } from './private-keys/update-private-key-tag.ts'
import { deletePrivateKeyTags } from './private-keys/delete-private-key-tags.ts'
import { createOauthProviders } from './oauth/create-oauth-providers.ts'
import { deleteOauthProviders } from './oauth/delete-oauth-providers.ts'
import { oauth } from './oauth/oauth.ts'
import { oauthLogin } from './oauth/oauth-login.ts'
import { createOauth2Credential } from './oauth/create-oauth2-credential.ts'
import { updateOauth2Credential } from './oauth/update-oauth2-credential.ts'
import { deleteOauth2Credential } from './oauth/delete-oauth2-credential.ts'
import { oauth2Authenticate } from './oauth/oauth2-authenticate.ts'
import { initOtp } from './otp/init-otp.ts'
import { verifyOtp } from './otp/verify-otp.ts'
import { otpLogin } from './otp/otp-login.ts'
import { initOtpAuth } from './otp/init-otp-auth.ts'
import { otpAuth } from './otp/otp-auth.ts'
import { verifyWalletAuthenticator } from './wallet-authenticators/verify-wallet-authenticator.ts'
import { createWalletAuthenticators } from './wallet-authenticators/create-wallet-authenticators.ts'
import { deleteWalletAuthenticators } from './wallet-authenticators/delete-wallet-authenticators.ts'
import { createMfaPolicy } from './mfa/create-mfa-policy.ts'
import { updateMfaPolicy } from './mfa/update-mfa-policy.ts'
import { deleteMfaPolicy } from './mfa/delete-mfa-policy.ts'
import { setIpAllowlist } from './access/set-ip-allowlist.ts'
import { removeIpAllowlist } from './access/remove-ip-allowlist.ts'
import { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts'
import { updateWebhookEndpoint } from './webhooks/update-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './webhooks/delete-webhook-endpoint.ts'
import { createReadOnlySession } from './sessions/create-read-only-session.ts'
import { createReadWriteSession } from './sessions/create-read-write-session.ts'
import { createSessionProfile } from './sessions/create-session-profile.ts'
import { emailAuth } from './sessions/email-auth.ts'
import { stampLogin } from './sessions/stamp-login.ts'
import { initUserEmailRecovery } from './recovery/init-user-email-recovery.ts'
import { recoverUser } from './recovery/recover-user.ts'
import { initImportSecrets } from './secrets/init-import-secrets.ts'
import { importSecrets } from './secrets/import-secrets.ts'
import { exportSecrets } from './secrets/export-secrets.ts'
import { deleteSecrets } from './secrets/delete-secrets.ts'
import { createWallet } from './wallets/create-wallet.ts'
import { createWalletAccounts } from './wallets/create-wallet-accounts.ts'
import { updateWallet } from './wallets/update-wallet.ts'
import { deleteWallets } from './wallets/delete-wallets.ts'
import { deleteWalletAccounts } from './wallets/delete-wallet-accounts.ts'
import { initImportWallet } from './wallets/init-import-wallet.ts'
import { importWallet } from './wallets/import-wallet.ts'
import { exportWallet } from './wallets/export-wallet.ts'
import { exportWalletAccount } from './wallets/export-wallet-account.ts'
import { createSmartContractInterface } from './contracts/create-smart-contract-interface.ts'
import { deleteSmartContractInterface } from './contracts/delete-smart-contract-interface.ts'

/**
 * Every activity of the service. Routes, reading, policy vocabulary, OpenAPI, reference and tests follow from this
 * list.
 */
export const activities: readonly Activity[] = [
  createPrivateKeys,
  signRawPayload,
  approveActivity,
  rejectActivity,
  createPolicy,
  createPolicies,
  updatePolicy,
  deletePolicy,
  deletePolicies,
  createVelocityControl,
  deleteVelocityControl,
  updateOrganizationName,
  updateRootQuorum,
  setOrganizationFeature,
  removeOrganizationFeature,
  deleteSubOrganization,
  createUsers,
  createApiOnlyUsers,
  updateUser,
  updateUserName,
  updateUserEmail,
  updateUserPhoneNumber,
  deleteUsers,
  createUserTag,
  updateUserTag,
  deleteUserTags,
  createInvitations,
  deleteInvitation,
  createApiKeys,
  deleteApiKeys,
  createAuthenticators,
  deleteAuthenticators,
  createSubOrganization,
  signRawPayloads,
  signTransaction,
  initImportPrivateKey,
  importPrivateKey,
  exportPrivateKey,
  deletePrivateKeys,
  createPrivateKeyTag,
  updatePrivateKeyTag,
  deletePrivateKeyTags,
  createOauthProviders,
  deleteOauthProviders,
  oauth,
  oauthLogin,
  createOauth2Credential,
  updateOauth2Credential,
  deleteOauth2Credential,
  oauth2Authenticate,
  initOtp,
  verifyOtp,
  otpLogin,
  initOtpAuth,
  otpAuth,
  verifyWalletAuthenticator,
  createWalletAuthenticators,
  deleteWalletAuthenticators,
  createMfaPolicy,
  updateMfaPolicy,
  deleteMfaPolicy,
  setIpAllowlist,
  removeIpAllowlist,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  stampLogin,
  createReadWriteSession,
  createReadOnlySession,
  createSessionProfile,
  emailAuth,
  initUserEmailRecovery,
  recoverUser,
  initImportSecrets,
  importSecrets,
  exportSecrets,
  deleteSecrets,
  createWallet,
  createWalletAccounts,
  updateWallet,
  deleteWallets,
  deleteWalletAccounts,
  initImportWallet,
  importWallet,
  exportWallet,
  exportWalletAccount,
  createSmartContractInterface,
  deleteSmartContractInterface,
]
