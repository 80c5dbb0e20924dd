import { tooMany } from '../../charter/limits.ts'
import { policyNameTaken } from '../../charter/policies.ts'
import { policyConditionInvalid, policyConsensusInvalid, policyTimeInvalid } from '../../policy/failures.ts'

/** What writing a policy may meet. */
export const policyFailures = [
  policyNameTaken,
  tooMany,
  policyConditionInvalid,
  policyConsensusInvalid,
  policyTimeInvalid,
]
