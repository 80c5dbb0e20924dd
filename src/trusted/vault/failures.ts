import {
  defineFailure,
  FAILED_PRECONDITION,
  INTERNAL,
  INVALID_ARGUMENT,
  NOT_FOUND,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  UNAUTHENTICATED,
} from '../base/failure.ts'
import type { LimitReached, Verdict } from './decision/verdict.ts'

export const organizationNotFound = defineFailure<{ readonly organizationId: string }>({
  kind: 'organizationNotFound',
  code: NOT_FOUND,
  errorCode: 'ORGANIZATION_NOT_FOUND',
  say: ({ organizationId }) => `no organization found with the given ID: ${organizationId}`,
})

export const publicKeyNotFound = defineFailure<{
  readonly organizationId: string
  readonly publicKey: string
}>({
  kind: 'publicKeyNotFound',
  code: UNAUTHENTICATED,
  errorCode: 'PUBLIC_KEY_NOT_FOUND',
  say: ({ organizationId, publicKey }) =>
    `could not find public key in organization or its parent organization: organizationId=${organizationId} publicKey=${publicKey}`,
})

export const tooManyMeters = defineFailure<{ readonly max: number }>({
  kind: 'tooManyMeters',
  code: INVALID_ARGUMENT,
  say: ({ max }) =>
    `too many limits: one request may count in at most ${max} meters, split it into several requests`,
})

export const draftTooLarge = defineFailure<{ readonly parts: number; readonly max: number }>({
  kind: 'draftTooLarge',
  code: INVALID_ARGUMENT,
  say: ({ parts, max }) =>
    `the draft is too large: its expressions have ${parts} parts, of ${max} at most; draft fewer policies at once`,
})

export const authenticatorNotFound = defineFailure<{
  readonly organizationId: string
  readonly credentialId: string
}>({
  kind: 'authenticatorNotFound',
  code: NOT_FOUND,
  errorCode: 'CREDENTIAL_NOT_FOUND',
  say: ({ organizationId, credentialId }) =>
    `webauthn authenticator not found in organization or parent organization: organizationId=${organizationId} credentialId=${credentialId}`,
})

/** The same text for a token of an unknown user and for one of another organization. */
export const attestationNotFound = defineFailure<{ readonly organizationId: string }>({
  kind: 'attestationNotFound',
  code: UNAUTHENTICATED,
  errorCode: 'CREDENTIAL_NOT_FOUND',
  say: ({ organizationId }) =>
    `no valid user found for the attestation of this stamp: organizationId=${organizationId}`,
})

export const stampNotAccepted = defineFailure<{ readonly kind: string; readonly operation: string }>({
  kind: 'stampNotAccepted',
  code: UNAUTHENTICATED,
  errorCode: 'SIGNATURE_INVALID',
  say: ({ kind, operation }) =>
    `no valid authentication signature found for request: ${kind} does not authenticate ${operation}`,
})

export const userNotVerified = defineFailure<{ readonly organizationId: string }>({
  kind: 'userNotVerified',
  code: UNAUTHENTICATED,
  errorCode: 'SIGNATURE_INVALID',
  say: ({ organizationId }) =>
    `organization ${organizationId} requires user verification: ask the passkey for userVerification "required"`,
})

export const addressNotAllowed = defineFailure<{ readonly organizationId: string }>({
  kind: 'addressNotAllowed',
  code: PERMISSION_DENIED,
  errorCode: 'REQUEST_NOT_AUTHORIZED',
  say: ({ organizationId }) =>
    `request not authorized: the address it came from is not in the IP allowlist of organization ${organizationId}`,
})

export const scopeNotEvaluated = defineFailure({
  kind: 'scopeNotEvaluated',
  code: INTERNAL,
  errorCode: 'INTERNAL',
  say: () =>
    'the request was refused, because the scope of the session profile could not be evaluated for it',
})

/** Published clients take the words from `Unauthenticated` to `publicKey` as the end of a session. */
export const apiKeyExpired = defineFailure<{ readonly organizationId: string; readonly publicKey: string }>({
  kind: 'apiKeyExpired',
  code: UNAUTHENTICATED,
  errorCode: 'API_KEY_EXPIRED',
  say: ({ organizationId, publicKey }) =>
    `authentication failed: code = Unauthenticated desc = expired api key publicKey=${publicKey} organizationId=${organizationId}`,
})

export const requestNotLive = defineFailure<{ readonly timestampMs: number; readonly now: number }>({
  kind: 'requestNotLive',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_TIME',
  say: ({ timestampMs, now }) =>
    `invalid timestampMs: ${timestampMs} is ${timestampMs < now ? 'one hour or more before' : 'more than five minutes after'} the service's clock, which shows ${now}`,
})

/** Only where more requests arrived within an hour than fit into memory. */
export const requestForgotten = defineFailure<{ readonly timestampMs: number; readonly since: number }>({
  kind: 'requestForgotten',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_TIME',
  say: ({ timestampMs, since }) =>
    `invalid timestampMs: ${timestampMs} is before ${since}, and under the current load the service can only detect repeats of newer requests; send the request again with the current time`,
})

export const requestBeforeRestore = defineFailure<{ readonly timestampMs: number; readonly until: number }>({
  kind: 'requestBeforeRestore',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_TIME',
  say: ({ timestampMs, until }) =>
    `invalid timestampMs: ${timestampMs} is not after ${until}: this service was restored from a backup, and requests up to then may have been carried out and lost; check whether yours was, and send it again with a later timestampMs`,
})

export const waitedBeforeRestore = defineFailure({
  kind: 'waitedBeforeRestore',
  code: FAILED_PRECONDITION,
  say: () =>
    'the activity waited when this service was restored from a backup, so it may already have been carried out; it can only be rejected, submit it again if it was not',
})

export const organizationMismatch = defineFailure<{ readonly target: string; readonly voter: string }>({
  kind: 'organizationMismatch',
  code: INVALID_ARGUMENT,
  errorCode: 'ORGANIZATION_MISMATCH',
  say: ({ target, voter }) =>
    `organization mismatch: request is targeting organization (${target}), but voters are in organization (${voter})`,
})

export const noSuchFingerprint = defineFailure({
  kind: 'noSuchFingerprint',
  code: NOT_FOUND,
  say: () =>
    'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint',
})

export const voteWithoutRequest = defineFailure({
  kind: 'voteWithoutRequest',
  code: INVALID_ARGUMENT,
  say: () =>
    'a vote is judged with the request that it is about: ask about that request, with the voter as the last of its approvers',
})

export const activitySettled = defineFailure<{ readonly status: string }>({
  kind: 'activitySettled',
  code: FAILED_PRECONDITION,
  say: ({ status }) => `the activity no longer waits for votes: its status is ${status}`,
})

export const voteTooLong = defineFailure<{ readonly max: number }>({
  kind: 'voteTooLong',
  code: INVALID_ARGUMENT,
  say: ({ max }) => `the vote has more than ${max} characters: send it without white space`,
})

export const votesTooLong = defineFailure({
  kind: 'votesTooLong',
  code: FAILED_PRECONDITION,
  say: () =>
    'the votes of the activity are too long for another vote that repeats its request: vote with approve_activity or reject_activity',
})

export const tooManyVotes = defineFailure<{ readonly max: number }>({
  kind: 'tooManyVotes',
  code: FAILED_PRECONDITION,
  say: ({ max }) =>
    `the activity has ${max} votes of this user from the last 24 hours: approve it when one of them has lapsed`,
})

export const activityWaitedTooLong = defineFailure({
  kind: 'activityWaitedTooLong',
  code: FAILED_PRECONDITION,
  say: () => 'the activity has had no vote for 30 days, and can only be rejected: submit it again',
})

/** The beginning of every refusal of the policy engine. */
export const PERMISSION_MESSAGE = "You don't have sufficient permissions to take this action."

/** A charter is read and sealed as a whole, for every request of its organization. */
export const CHARTER_CHARACTERS_MAX = 6 * 1024 * 1024

export const organizationTooLarge = defineFailure<{ readonly characters: number }>({
  kind: 'organizationTooLarge',
  code: RESOURCE_EXHAUSTED,
  say: ({ characters }) =>
    `organization has exceeded its maximum size: its users, credentials, policies and settings would have ${characters} characters, of at most ${CHARTER_CHARACTERS_MAX}; delete some, or make them shorter`,
})

/**
 * The refusal of the policy engine, with the outcome of every policy, and the activity where its caller can see more.
 */
export const notAllowed = defineFailure<
  Pick<Extract<Verdict, { kind: 'deny' }>, 'deniedBy' | 'evaluations'> & {
    readonly limit?: LimitReached | undefined
    /** The id of its record. */
    readonly activityId?: string
  }
>({
  kind: 'notAllowed',
  code: PERMISSION_DENIED,
  say: ({ deniedBy, limit }) => `${PERMISSION_MESSAGE} ${adviceFor(deniedBy, limit)}`,
  details: ({ deniedBy, evaluations, limit, activityId }) => [
    {
      '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
      message:
        deniedBy.length === 0
          ? 'No policies evaluated to outcome: Allow'
          : `The following policies denied this action: ${deniedBy.join(', ')}`,
      policyEvaluations: evaluations,
    },
    ...(limit?.policyIds ?? []).map((policyId) => ({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'LIMIT_REACHED',
      domain: 'claviger',
      metadata: { policyId, roomFrom: roomIn(limit) },
    })),
    ...(activityId === undefined
      ? []
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.ResourceInfo',
            resourceType: 'activity',
            resourceName: activityId,
          },
        ]),
  ],
})

function adviceFor(deniedBy: readonly string[], limit: LimitReached | undefined): string {
  if (limit !== undefined) return `A limit is reached, and has room for it again from ${roomIn(limit)} on.`
  return deniedBy.length === 0
    ? 'Please add a policy granting this user permissions.'
    : 'A policy denies it, whatever others allow: the details name it.'
}

function roomIn(limit: LimitReached | undefined): string {
  return limit === undefined ? '' : new Date(limit.roomFrom).toISOString()
}
