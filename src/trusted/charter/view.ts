import type { Ms } from '../base/world.ts'
import type {
  ApiKey,
  Authenticator,
  Charter,
  IpAllowlist,
  MfaPolicy,
  OauthProvider,
  Policy,
  Tag,
  User,
  WalletAuthenticator,
  WebhookEndpoint,
} from './charter.ts'
import { featuresApart } from './features.ts'
import type { CredentialType } from './credential-types.ts'

/** A point in time as the interface tells it: both numbers as decimal strings. */
export type Timestamp = { readonly seconds: string; readonly nanos: string }

export function timestamp(ms: Ms): Timestamp {
  return { seconds: String(Math.floor(ms / 1000)), nanos: String((ms % 1000) * 1_000_000) }
}

export function userView(user: User) {
  return {
    userId: user.userId,
    userName: user.userName,
    ...(user.userEmail === undefined ? {} : { userEmail: user.userEmail }),
    ...(user.userPhoneNumber === undefined ? {} : { userPhoneNumber: user.userPhoneNumber }),
    authenticators: user.authenticators.map(authenticatorView),
    apiKeys: user.apiKeys.map(apiKeyView),
    userTags: user.userTags,
    oauthProviders: user.oauthProviders.map(oauthProviderView),
    walletAuthenticators: user.walletAuthenticators.map(walletAuthenticatorView),
    mfaPolicies: user.mfaPolicies.map(mfaPolicyView),
    ...times(user),
  }
}

export function apiKeyView(key: ApiKey) {
  return {
    credential: {
      publicKey: key.publicKey,
      type: key.type,
      ...(key.session === undefined ? {} : { sessionProfileId: key.session.sessionProfileId }),
    },
    apiKeyId: key.apiKeyId,
    apiKeyName: key.apiKeyName,
    ...(key.expirationSeconds === undefined ? {} : { expirationSeconds: String(key.expirationSeconds) }),
    ...times(key),
  }
}

export function authenticatorView(authenticator: Authenticator) {
  const type: CredentialType = 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'
  return {
    transports: authenticator.transports,
    attestationType: authenticator.attestationType,
    aaguid: authenticator.aaguid,
    credentialId: authenticator.credentialId,
    model: authenticator.model,
    credential: { publicKey: authenticator.publicKey, type },
    authenticatorId: authenticator.authenticatorId,
    authenticatorName: authenticator.authenticatorName,
    ...times(authenticator),
  }
}

export function oauthProviderView({ createdAt, updatedAt, isClaimed: _, ...provider }: OauthProvider) {
  return { ...provider, ...times({ createdAt, updatedAt }) }
}

export function walletAuthenticatorView({ createdAt, updatedAt, proven: _, ...wallet }: WalletAuthenticator) {
  return { ...wallet, ...times({ createdAt, updatedAt }) }
}

export function mfaPolicyView({ required, order, createdAt, updatedAt, ...policy }: MfaPolicy) {
  return {
    ...policy,
    requiredAuthenticationMethods: required,
    order,
    ...times({ createdAt, updatedAt }),
  }
}

/** The IP allowlist as a query shows it. Without a list there are no rules, and it is not in force. */
export function ipAllowlistView(organizationId: string, publicKey: string | undefined, list?: IpAllowlist) {
  const { enabled, onEvaluationError, rules } = list ?? { enabled: false, rules: [] }
  return {
    organizationId,
    ...(publicKey === undefined ? {} : { publicKey }),
    enabled,
    ...(onEvaluationError === undefined ? {} : { onEvaluationError }),
    rules: rules.map((rule) => ({ ...rule, createdAt: String(rule.createdAt) })),
  }
}

export function webhookEndpointView(
  organizationId: string,
  { endpointId, url, name, isActive, subscriptions }: WebhookEndpoint,
) {
  return { endpointId, organizationId, url, name, isActive, subscriptions }
}

export function policyView(policy: Policy) {
  return {
    policyId: policy.policyId,
    policyName: policy.policyName,
    effect: policy.effect,
    notes: policy.notes,
    consensus: policy.consensus ?? '',
    condition: policy.condition ?? '',
    ...(policy.time === undefined ? {} : { time: policy.time }),
    ...times(policy),
  }
}

export function tagView(tag: Tag) {
  return { tagId: tag.tagId, tagName: tag.tagName, tagType: tag.tagType, ...times(tag) }
}

export function configsView(charter: Charter) {
  return { ...featuresApart(charter.features), quorum: charter.rootQuorum }
}

function times(of: { readonly createdAt: Ms; readonly updatedAt: Ms }) {
  return { createdAt: timestamp(of.createdAt), updatedAt: timestamp(of.updatedAt) }
}
