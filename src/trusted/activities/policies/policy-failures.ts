import { tooMany } from '../../charter/limits.ts'
import { policyNameTaken } from '../../charter/policies.ts'
import { controlNewerThanRequest, controlNotFound } from '../../charter/velocity-controls.ts'
import { policyConditionInvalid, policyConsensusInvalid, policyTimeInvalid } from '../../policy/failures.ts'

/** The possible failures of writing a policy. */
export const policyFailures = [
  policyNameTaken,
  controlNotFound,
  controlNewerThanRequest,
  tooMany,
  policyConditionInvalid,
  policyConsensusInvalid,
  policyTimeInvalid,
]
