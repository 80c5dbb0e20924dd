import type { Ms } from '../base/world.ts'

/**
 * An organization as one document: who belongs to it, with what credentials, under which policies. Every decision reads
 * it; only an allowed activity amends it. It is stored as JSON, sealed by the vault over its version and organization.
 */
export type Charter = {
  readonly organizationId: string
  readonly organizationName: string
  /** The organization that created this one; null for a top-level organization. */
  readonly parentId: string | null
  /** Counts up by one with every amendment. */
  readonly version: number
  /** A deleted organization keeps its charter, so that its last request can still be answered; nothing else can be done with it. */
  readonly deleted: boolean
  readonly createdAt: Ms
  readonly updatedAt: Ms
  readonly rootQuorum: RootQuorum
  readonly features: readonly Feature[]
  readonly users: readonly User[]
  readonly tags: readonly Tag[]
  readonly policies: readonly Policy[]
  readonly invitations: readonly Invitation[]
}

export type RootQuorum = { readonly threshold: number; readonly userIds: readonly string[] }

export type Feature = { readonly name: string; readonly value?: string }

export type User = {
  readonly userId: string
  readonly userName: string
  readonly userEmail?: string
  readonly userPhoneNumber?: string
  readonly userTags: readonly string[]
  readonly apiKeys: readonly ApiKey[]
  readonly authenticators: readonly Authenticator[]
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export type ApiKey = {
  readonly apiKeyId: string
  readonly apiKeyName: string
  /** P-256 and secp256k1: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
  readonly type: string
  /** Seconds after `createdAt`; absent for a key that does not expire. */
  readonly expirationSeconds?: number
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

export type Effect = 'EFFECT_ALLOW' | 'EFFECT_DENY'

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

export function isRoot(charter: Charter, userId: string): boolean {
  return charter.rootQuorum.userIds.includes(userId)
}

export function userOf(charter: Charter, userId: string): User | undefined {
  return charter.users.find((user) => user.userId === userId)
}

export function featureOf(charter: Charter, name: string): Feature | undefined {
  return charter.features.find((feature) => feature.name === name)
}
