import { RECOVERY_SET_KEY } from '../../charter/credential-types.ts'
import type { Approval } from '../../policy/people.ts'

/** Whether the approval is not a user's, but was made with the key restored from the shares of a recovery set. */
export function isRecoverySet({ credentials }: Approval): boolean {
  return credentials.some(({ type }) => type === RECOVERY_SET_KEY)
}
