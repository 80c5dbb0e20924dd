import { RECOVERY_SET_KEY } from '../charter/credential-types.ts'
import type { Approval } from '../policy/people.ts'

/** Whether this is no user's approval, but that of the people who have put the shares of a recovery set together. */
export function isRecoverySet({ credentials }: Approval): boolean {
  return credentials.some(({ type }) => type === RECOVERY_SET_KEY)
}
