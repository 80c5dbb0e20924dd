import type { EmailMessage, RecoveryState } from '../../catalogue/message.ts'
import type { Charter } from '../../charter/charter.ts'
import { hoursLeft, type RecoveryAttempt, recoverySetOf } from '../../charter/organization-recovery.ts'
import { rootAddresses } from '../../charter/root-addresses.ts'

/**
 * A mail to each root user with an address: that an attempt to add root users has begun, goes on or has ended.
 *
 * @param charter  with the set that began the attempt
 */
export function recoveryMails(
  charter: Charter,
  attempt: RecoveryAttempt,
  state: RecoveryState,
): readonly EmailMessage[] {
  const set = recoverySetOf(charter)
  const hours = set === undefined ? 0 : hoursLeft(attempt, set)
  const { organizationName } = charter
  const userNames = attempt.users.map(({ userName }) => userName)
  return rootAddresses(charter).map((to) => ({
    channel: 'email',
    about: 'organizationRecovery',
    to,
    organizationName,
    organizationRecovery: { state, attemptId: attempt.attemptId, hoursLeft: hours, userNames },
    customization: {},
    sender: {},
  }))
}
