import { present } from '../../base/assert.ts'
import {
  type ApiKey,
  type Authenticator,
  type Charter,
  noCredentials,
  type User,
  userOf,
} from '../../charter/charter.ts'
import { RECOVERY_SET_KEY } from '../../charter/credential-types.ts'
import { isRegistered, NO_SESSION_PROFILE } from '../../charter/mfa-policies.ts'
import { recoverySetId, recoverySetOf } from '../../charter/organization-recovery.ts'
import { type StampCredential, verifyKeyFor } from '../../crypto/stamp-verify.ts'
import type { Expression } from '../../policy/expression.ts'
import type { Approval } from '../../policy/people.ts'
import type { Proof } from '../seals/proof.ts'
import type { ReadLater } from './read-later.ts'

export type Holder = {
  readonly user: User
  readonly credential: {
    readonly id: string
    readonly type: string
    readonly publicKey: string
    readonly credentialId?: string
  }
  readonly apiKey?: ApiKey
  readonly verification: () => StampCredential
  /** The credential in the terms of MFA policies. */
  readonly proof: Proof
  /**
   * For the key of a limited session: the expression that must be true for each of its requests. Undefined when it
   * cannot be parsed, which allows nothing.
   */
  readonly scope?: () => Expression | undefined
}

/** A user and the credentials used, as consensus expressions see them. */
export function approvalOf(user: User, credentials: readonly Holder['credential'][]): Approval {
  return {
    user: { id: user.userId, tags: user.userTags, email: user.userEmail ?? '', alias: user.userName },
    credentials: credentials.map((credential) => ({
      id: credential.id,
      userId: user.userId,
      type: credential.type,
      credentialId: credential.credentialId ?? '',
      publicKey: credential.publicKey,
    })),
  }
}

export function credentialsOf(user: User): readonly Holder['credential'][] {
  return [...user.apiKeys.map(apiKeyCredential), ...user.authenticators.map(passkeyCredential)]
}

/** The approvals that these users may renew, with any of their credentials; none of a user who is gone. */
export function renewable(charter: Charter, userIds: readonly string[]): readonly Approval[] {
  const users = [...new Set(userIds)].map((userId) => userOf(charter, userId))
  return users.flatMap((user) => (user === undefined ? [] : [approvalOf(user, credentialsOf(user))]))
}

export function holdersOf(user: User, later: ReadLater): readonly (readonly [string, Holder])[] {
  return [
    ...user.apiKeys.map((apiKey) => {
      const { publicKey, session } = apiKey
      const scope = session === undefined ? {} : { scope: () => later(session.scope) }
      const proven = holder(user, apiKeyCredential(apiKey), apiKeyProof(apiKey))
      return [publicKey, { ...proven, apiKey, ...scope }] as const
    }),
    ...user.authenticators.map((authenticator) => {
      const proof: Proof = { type: 'AUTHENTICATION_TYPE_PASSKEY', id: authenticator.authenticatorId }
      return [authenticator.credentialId, holder(user, passkeyCredential(authenticator), proof)] as const
    }),
  ]
}

/** A recovery set acts as a user whose only credential is the key that the shares restore. */
export function recoverySetHolder(charter: Charter): readonly (readonly [string, Holder])[] {
  const set = recoverySetOf(charter)
  if (set === undefined) return []
  const { publicKey } = set
  const id = recoverySetId(set)
  const { createdAt, updatedAt } = charter
  const user: User = { userId: id, userName: 'Recovery set', ...noCredentials, createdAt, updatedAt }
  const proof: Proof = { type: 'AUTHENTICATION_TYPE_API_KEY', id }
  return [[publicKey, holder(user, { id, type: RECOVERY_SET_KEY, publicKey }, proof)]]
}

/** A key that was registered proves itself; one that a login made proves a session. */
function apiKeyProof(key: ApiKey): Proof {
  return isRegistered(key)
    ? { type: 'AUTHENTICATION_TYPE_API_KEY', id: key.apiKeyId }
    : { type: 'AUTHENTICATION_TYPE_SESSION', id: key.session?.sessionProfileId ?? NO_SESSION_PROFILE }
}

function holder(user: User, credential: Holder['credential'], proof: Proof): Holder {
  let verification: StampCredential | undefined
  return {
    user,
    credential,
    proof,
    // Making a key object costs more than verifying with it, so it is made at the first use and kept.
    verification: () => {
      verification ??= {
        type: credential.type,
        publicKey: credential.publicKey,
        key: present(
          verifyKeyFor(credential.type, credential.publicKey),
          'a key that was checked when it was registered',
        ),
      }
      return verification
    },
  }
}

function apiKeyCredential(apiKey: ApiKey): Holder['credential'] {
  return { id: apiKey.apiKeyId, type: apiKey.type, publicKey: apiKey.publicKey }
}

function passkeyCredential(authenticator: Authenticator): Holder['credential'] {
  return {
    id: authenticator.authenticatorId,
    type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
    publicKey: authenticator.publicKey,
    credentialId: authenticator.credentialId,
  }
}
