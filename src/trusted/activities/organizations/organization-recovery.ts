import { present } from '../../base/assert.ts'
import { defineFailure, FAILED_PRECONDITION } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { Message } from '../../catalogue/message.ts'
import { type Charter, noCredentials, type User } from '../../charter/charter.ts'
import { credentialTaken, withUsers } from '../../charter/members.ts'
import {
  hoursLeft,
  keysOfRecovery,
  RECOVERY_FEATURE,
  type RecoveryAttempt,
  readRecoveryStep,
  recoveryAttemptOf,
  recoverySetOf,
  withoutRecovery,
  withoutRecoveryAttempt,
  withRecoveryAttempt,
} from '../../charter/organization-recovery.ts'
import { newApiKey } from '../credentials/api-key-params.ts'
import { recoveryMails } from './recovery-mails.ts'

const recoveryUnderWay = defineFailure<{ readonly attemptId: string }>({
  kind: 'recoveryUnderWay',
  code: FAILED_PRECONDITION,
  say: ({ attemptId }) =>
    `a recovery of this organization is already under way, attempt ${attemptId}: a root user must stop it before another one can begin`,
})

const recoveryNotUnderWay = defineFailure<{ readonly attemptId: string }>({
  kind: 'recoveryNotUnderWay',
  code: FAILED_PRECONDITION,
  say: ({ attemptId }) => `attempt ${attemptId} to recover this organization is not under way`,
})

const recoveryTooEarly = defineFailure<{ readonly attemptId: string; readonly hours: number }>({
  kind: 'recoveryTooEarly',
  code: FAILED_PRECONDITION,
  say: ({ attemptId, hours }) =>
    `attempt ${attemptId} to recover this organization cannot be completed yet: ${hours} hours of its delay are left`,
})

export const recoveryFailures = [recoveryUnderWay, recoveryNotUnderWay, recoveryTooEarly]

type Execution = {
  readonly charter: Charter
  readonly now: Ms
  readonly newId: () => string
}
type Amended = { readonly charter: Charter; readonly messages: readonly Message[] }

/** Refuses a key that a user has: it would be mistaken for the key of the set. @throws Failure `credentialTaken` */
export function checkNewSet(charter: Charter, value: string): void {
  const held = new Set(charter.users.flatMap(({ apiKeys }) => apiKeys.map(({ publicKey }) => publicKey)))
  const taken = keysOfRecovery(RECOVERY_FEATURE, value).find((publicKey) => held.has(publicKey))
  if (taken !== undefined) throw credentialTaken({ credential: taken })
}

/** A request with the key of a set: to begin or to complete an attempt. */
export function* recoveryStep(value: string, execution: Execution): Steps<Amended> {
  const step = present(readRecoveryStep(value), 'a step, since the value of the feature was checked')
  return yield* 'users' in step ? begun(step.users, execution) : completed(step.complete, execution)
}

function* begun(users: RecoveryAttempt['users'], { charter, now, newId }: Execution): Steps<Amended> {
  const earlier = recoveryAttemptOf(charter)
  if (earlier !== undefined) throw recoveryUnderWay(earlier)
  const attempt = { attemptId: newId(), begunAt: now, users, heartbeats: 0 }
  // An attempt that could not be completed is not begun. From now on its names and keys are reserved.
  yield* withNewRootUsers(charter, attempt, { now, newId })
  const amended = withRecoveryAttempt(charter, attempt)
  return { charter: amended, messages: recoveryMails(amended, attempt, 'begun') }
}

function* completed(attemptId: string, { charter, now, newId }: Execution): Steps<Amended> {
  const attempt = recoveryAttemptOf(charter)
  const set = recoverySetOf(charter)
  if (attempt?.attemptId !== attemptId || set === undefined) throw recoveryNotUnderWay({ attemptId })
  const hours = hoursLeft(attempt, set)
  if (hours > 0) throw recoveryTooEarly({ attemptId, hours })
  const amended = yield* withNewRootUsers(withoutRecoveryAttempt(charter), attempt, { now, newId })
  return { charter: withoutRecovery(amended), messages: recoveryMails(charter, attempt, 'completed') }
}

/**
 * Any single root user may stop an attempt. The set is removed with it: for another attempt the root quorum must create
 * a new set.
 */
export function stopped(charter: Charter): Amended {
  const attempt = recoveryAttemptOf(charter)
  if (attempt === undefined) return { charter, messages: [] }
  return { charter: withoutRecovery(charter), messages: recoveryMails(charter, attempt, 'stopped') }
}

/** The threshold stays: where two root users must agree, an attempt names two. */
function* withNewRootUsers(
  charter: Charter,
  { users }: RecoveryAttempt,
  { now, newId }: Pick<Execution, 'now' | 'newId'>,
): Steps<Charter> {
  const added = users.map(({ userName, publicKey }): User => {
    const params = { apiKeyName: 'Recovery', publicKey, curveType: 'API_KEY_CURVE_P256' } as const
    const apiKeys = [newApiKey({ params, now, newId })]
    return { ...noCredentials, userId: newId(), userName, apiKeys, createdAt: now, updatedAt: now }
  })
  const amended = yield* withUsers(charter, added, now)
  const { threshold, userIds } = charter.rootQuorum
  return {
    ...amended,
    rootQuorum: { threshold, userIds: [...userIds, ...added.map(({ userId }) => userId)] },
  }
}
