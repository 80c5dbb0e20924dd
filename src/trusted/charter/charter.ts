import type { Ms } from '../base/world.ts'
import type { KeyCredentialType } from './credential-types.ts'

/**
 * An organization as one document: its users, their credentials, its policies. Every decision reads it; only an allowed
 * activity amends it. It is stored as JSON, sealed by the vault over its version and organization.
 */
export type Charter = {
  readonly organizationId: string
  readonly organizationName: string
  /** The organization that created this one; null for a top-level organization. */
  readonly parentId: string | null
  /** Counts up by one with every amendment. */
  readonly version: number
  /**
   * A deleted organization keeps its charter, so that its last request can still be answered; nothing else can be done
   * with it.
   */
  readonly deleted: boolean
  readonly createdAt: Ms
  readonly updatedAt: Ms
  readonly rootQuorum: RootQuorum
  readonly features: readonly Feature[]
  readonly users: readonly User[]
  readonly tags: readonly Tag[]
  readonly policies: readonly Policy[]
  readonly invitations: readonly Invitation[]
  readonly sessionProfiles: readonly SessionProfile[]
  readonly oauth2Credentials: readonly Oauth2Credential[]
  readonly webhookEndpoints: readonly WebhookEndpoint[]
  readonly ipAllowlists: readonly IpAllowlist[]
  readonly contractInterfaces: readonly ContractInterfaceEntry[]
  readonly velocityControls: readonly VelocityControl[]
}

export type RootQuorum = { readonly threshold: number; readonly userIds: readonly string[] }

export type Feature = { readonly name: string; readonly value?: string }

export type User = {
  readonly userId: string
  readonly userName: string
  readonly userEmail?: string
  /** Whether someone has proven that the address is theirs since it was set. */
  readonly emailVerified: boolean
  readonly userPhoneNumber?: string
  readonly phoneNumberVerified: boolean
  readonly userTags: readonly string[]
  readonly apiKeys: readonly ApiKey[]
  readonly authenticators: readonly Authenticator[]
  readonly oauthProviders: readonly OauthProvider[]
  readonly walletAuthenticators: readonly WalletAuthenticator[]
  readonly mfaPolicies: readonly MfaPolicy[]
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export type ApiKey = {
  readonly apiKeyId: string
  readonly apiKeyName: string
  /** P-256 and secp256k1: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
  readonly type: KeyCredentialType
  /** Seconds after `createdAt`; absent for a key that does not expire. */
  readonly expirationSeconds?: number
  /** Somebody has changed this organization with it: that its holder is here was proven, and not only said. */
  readonly proven?: true
  /** For the key of a limited session: its profile. The profile never changes, so that its scope can be kept here. */
  readonly session?: { readonly sessionProfileId: string; readonly scope: string }
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export type Authenticator = {
  readonly authenticatorId: string
  readonly authenticatorName: string
  readonly credentialId: string
  /** The COSE key, base64url. */
  readonly publicKey: string
  readonly aaguid: string
  readonly attestationType: string
  readonly model: string
  readonly transports: readonly string[]
  /** As of an `ApiKey`. */
  readonly proven?: true
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

/** An account elsewhere that its holder may log in with. */
export type OauthProvider = {
  readonly providerId: string
  readonly providerName: string
  readonly issuer: string
  readonly audience: string
  readonly subject: string
  /** Its audience was only claimed (`oidcClaims`): no token for it was shown yet, and nobody is found by it. */
  readonly isClaimed?: true
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export const WALLET_AUTHENTICATOR_TYPES = [
  'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
  'WALLET_AUTHENTICATOR_TYPE_SOLANA',
] as const

export type WalletAuthenticatorType = (typeof WALLET_AUTHENTICATOR_TYPES)[number]

/** A wallet elsewhere that its holder may log in with, by a message that it signs for one domain. */
export type WalletAuthenticator = {
  readonly walletAuthenticatorId: string
  readonly type: WalletAuthenticatorType
  /** The address as its chain writes it: EIP-55, or base58. */
  readonly address: string
  readonly domain: string
  /** Somebody has logged in with it here: only then is an organization found by it. */
  readonly proven?: true
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export const AUTHENTICATION_TYPES = [
  'AUTHENTICATION_TYPE_EMAIL_OTP',
  'AUTHENTICATION_TYPE_SMS_OTP',
  'AUTHENTICATION_TYPE_PASSKEY',
  'AUTHENTICATION_TYPE_API_KEY',
  'AUTHENTICATION_TYPE_OAUTH',
  'AUTHENTICATION_TYPE_SESSION',
  'AUTHENTICATION_TYPE_WALLET',
] as const

/**
 * A way in which users prove their identity; with `id`, only by this very key, passkey, provider or session profile.
 */
export type AuthenticationMethod = {
  readonly type: (typeof AUTHENTICATION_TYPES)[number]
  readonly id?: string
}

/** The proofs that a user needs beyond their stamp, for the activities of which the condition is true. */
export type MfaPolicy = {
  readonly mfaPolicyId: string
  readonly mfaPolicyName: string
  readonly condition: string
  /** All of these are required; of each, any one method. */
  readonly required: readonly { readonly any: readonly AuthenticationMethod[] }[]
  /** The lowest whose condition is true is the one that counts. */
  readonly order: number
  readonly notes?: string
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

/**
 * A scope to which sessions may be limited. A profile never changes; sub-organizations of its organization log in under
 * it too.
 */
export type SessionProfile = {
  readonly sessionProfileId: string
  readonly sessionProfileName: string
  readonly scope: string
  readonly expirationSeconds?: number
  readonly notes?: string
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export type Oauth2Provider = 'OAUTH2_PROVIDER_X' | 'OAUTH2_PROVIDER_DISCORD'

export type Oauth2Credential = {
  readonly oauth2CredentialId: string
  readonly provider: Oauth2Provider
  readonly clientId: string
  /** Hex of the envelope that the client encrypted to the service; only the vault opens it. */
  readonly encryptedClientSecret: string
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

/** The events to which an endpoint may subscribe. Only the first happens in this version. */
export const WEBHOOK_EVENT_TYPES = [
  'ACTIVITY_UPDATES',
  'BALANCE_CONFIRMED_UPDATES',
  'BALANCE_FINALIZED_UPDATES',
  'SEND_TRANSACTION_STATUS_UPDATES',
] as const

export type WebhookEndpoint = {
  readonly endpointId: string
  readonly url: string
  readonly name: string
  readonly isActive: boolean
  readonly subscriptions: readonly {
    readonly eventType: (typeof WEBHOOK_EVENT_TYPES)[number]
    readonly filtersJson?: string
    readonly isActive: boolean
  }[]
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

/**
 * The addresses from which credentials of the organization may be used; with a public key, the list of that key alone.
 */
export type IpAllowlist = {
  readonly publicKey?: string
  readonly enabled: boolean
  readonly onEvaluationError: 'ALLOW' | 'DENY'
  readonly rules: readonly { readonly cidr: string; readonly label?: string; readonly createdAt: Ms }[]
}

/** The interface with which the calls of a contract are read. The interface itself is an object. */
export type ContractInterfaceEntry = {
  readonly smartContractInterfaceId: string
  /** The address in the form of `contractKey`. */
  readonly address: string
}

/** A limit on usage that policies name as `controls.<identifier>`. It never changes. */
export type VelocityControl = {
  readonly velocityControlId: string
  readonly name: string
  readonly identifier: string
  /** The data source of the request, as JSON. */
  readonly dataSource: string
  readonly aggregation: string
  /** The text that the control means in a condition. */
  readonly expression: string
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export type TagType = 'TAG_TYPE_USER' | 'TAG_TYPE_PRIVATE_KEY'

export type Tag = {
  readonly tagId: string
  readonly tagName: string
  readonly tagType: TagType
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

type Effect = 'EFFECT_ALLOW' | 'EFFECT_DENY'

export type Policy = {
  readonly policyId: string
  readonly policyName: string
  readonly effect: Effect
  /** Absent: matches every activity. */
  readonly condition?: string
  /** Absent: any approver. */
  readonly consensus?: string
  readonly time?: string
  readonly notes: string
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export type Invitation = {
  readonly invitationId: string
  readonly receiverUserName: string
  readonly receiverUserEmail: string
  readonly receiverUserTags: readonly string[]
  readonly accessType: string
  readonly senderUserId: string
  readonly status: 'INVITATION_STATUS_CREATED'
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

/** The parts of a user that may all be empty. */
export const noCredentials = {
  emailVerified: false,
  phoneNumberVerified: false,
  userTags: [],
  apiKeys: [],
  authenticators: [],
  oauthProviders: [],
  walletAuthenticators: [],
  mfaPolicies: [],
} as const satisfies Partial<User>

/** The parts of a charter that an organization is founded without. */
export const nothingYet = {
  features: [],
  tags: [],
  policies: [],
  invitations: [],
  sessionProfiles: [],
  oauth2Credentials: [],
  webhookEndpoints: [],
  ipAllowlists: [],
  contractInterfaces: [],
  velocityControls: [],
} as const satisfies Partial<Charter>

/** The tenant of an organization: its parent, or itself. */
export function tenantOf({ organizationId, parentId }: Pick<Charter, 'organizationId' | 'parentId'>): string {
  return parentId ?? organizationId
}

export function isRoot(charter: Charter, userId: string): boolean {
  return charter.rootQuorum.userIds.includes(userId)
}

export function userOf(charter: Charter, userId: string): User | undefined {
  return charter.users.find((user) => user.userId === userId)
}

export function featureOf(charter: Charter, name: string): Feature | undefined {
  return charter.features.find((feature) => feature.name === name)
}
