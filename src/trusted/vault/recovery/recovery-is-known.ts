import { defineFailure, FAILED_PRECONDITION } from '../../base/failure.ts'
import type { Activity } from '../../catalogue/activity.ts'
import type { Charter } from '../../charter/charter.ts'
import {
  completedAttempt,
  hoursLeft,
  recoveryAttemptOf,
  recoverySetOf,
} from '../../charter/organization-recovery.ts'
import { askedOf } from '../authentication/asked-of.ts'
import type { VaultContext } from '../vault-context.ts'

/** A night and a morning, in which root users read the mail that comes with the first hour of them. */
const KNOWN_HOURS_MIN = 12

const recoveryHardlyKnown = defineFailure<{ readonly attemptId: string; readonly hours: number }>({
  kind: 'recoveryHardlyKnown',
  code: FAILED_PRECONDITION,
  say: ({ attemptId, hours }) =>
    `attempt ${attemptId} to recover this organization cannot be completed yet: this service was started anew, and waits ${hours} hours more in case somebody has stopped it`,
})

/**
 * A restarted vault cannot know whether a given attempt was stopped before: a database or a backup may show an old
 * charter. So it completes only attempts for which it has counted some hours itself. All root users are notified with
 * the first of these hours, and may stop the attempt again (docs/decisions/break-glass.md).
 *
 * @throws Failure `recoveryHardlyKnown`
 */
export function checkRecoveryIsKnown(
  { shownHeartbeats }: Pick<VaultContext, 'shownHeartbeats'>,
  charter: Charter,
  asked: { readonly activity: Activity; readonly intent: unknown },
): void {
  if (askedOf(asked) !== 'recoverySet') return
  const attempt = recoveryAttemptOf(charter)
  const set = recoverySetOf(charter)
  if (attempt === undefined || set === undefined || completedAttempt(asked.intent) !== attempt.attemptId)
    return
  // The remaining delay is reported by the activity itself.
  if (hoursLeft(attempt, set) > 0) return
  const hours = KNOWN_HOURS_MIN - shownHeartbeats.countedSince(charter.organizationId, attempt)
  if (hours > 0) throw recoveryHardlyKnown({ attemptId: attempt.attemptId, hours })
}
