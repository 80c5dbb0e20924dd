import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { type Charter, type RootQuorum, userOf } from './charter.ts'

const zeroThreshold = defineFailure<{ readonly threshold: number }>({
  kind: 'zeroThreshold',
  code: INVALID_ARGUMENT,
  say: ({ threshold }) => `quorum threshold must be non-zero integer, and not negative: ${threshold}`,
})

const thresholdTooHigh = defineFailure<{ readonly threshold: number; readonly users: number }>({
  kind: 'thresholdTooHigh',
  code: INVALID_ARGUMENT,
  say: ({ threshold, users }) =>
    `quorum threshold must be at most the number of root users: ${threshold} of ${users}`,
})

export const quorumUsersMissing = defineFailure<{ readonly userIds: readonly string[] }>({
  kind: 'quorumUsersMissing',
  code: INVALID_ARGUMENT,
  say: ({ userIds }) =>
    userIds.length === 0
      ? 'quorum users missing: the root quorum cannot be empty'
      : `quorum users missing: ${userIds.join(', ')}`,
})

const quorumUserTwice = defineFailure<{ readonly userId: string }>({
  kind: 'quorumUserTwice',
  code: INVALID_ARGUMENT,
  say: ({ userId }) => `quorum users must be distinct: ${userId} is named twice`,
})

export const quorumFailures = [zeroThreshold, thresholdTooHigh, quorumUsersMissing, quorumUserTwice]

/** Refuses a threshold below one, and a threshold that so many users cannot reach. */
export function checkThreshold(threshold: number, users: number): void {
  if (threshold < 1) throw zeroThreshold({ threshold })
  if (threshold > users) throw thresholdTooHigh({ threshold, users })
}

/** Refuses mistakes in a quorum that show without knowing the organization. */
export function checkQuorum({ threshold, userIds }: RootQuorum): void {
  if (userIds.length === 0) throw quorumUsersMissing({ userIds })
  const twice = userIds.find((userId, index) => userIds.indexOf(userId) !== index)
  if (twice !== undefined) throw quorumUserTwice({ userId: twice })
  checkThreshold(threshold, userIds.length)
}

/** The charter with this root quorum in place of the one it had: of its users, and of nobody else. */
export function withRootQuorum(charter: Charter, quorum: RootQuorum): Charter {
  checkQuorum(quorum)
  const missing = quorum.userIds.filter((userId) => userOf(charter, userId) === undefined)
  if (missing.length > 0) throw quorumUsersMissing({ userIds: missing })
  return { ...charter, rootQuorum: { threshold: quorum.threshold, userIds: quorum.userIds } }
}
