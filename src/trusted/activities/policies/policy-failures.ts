import { tooMany } from '../../charter/limits.ts'
import { policyNameTaken } from '../../charter/policies.ts'
import { controlNotFound } from '../../charter/velocity-controls.ts'
import { policyConditionInvalid, policyConsensusInvalid, policyTimeInvalid } from '../../policy/failures.ts'

/** The possible failures of writing a policy. */
export const policyFailures = [
  policyNameTaken,
  controlNotFound,
  tooMany,
  policyConditionInvalid,
  policyConsensusInvalid,
  policyTimeInvalid,
]
