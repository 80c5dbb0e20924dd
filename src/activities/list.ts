import type { Activity } from '../catalogue/activity.ts'
import { createPrivateKeys } from './private-keys/create-private-keys.ts'
import { signRawPayload } from './signing/sign-raw-payload.ts'
import { approveActivity } from './consensus/approve-activity.ts'
import { rejectActivity } from './consensus/reject-activity.ts'
import { createPolicy } from './policies/create-policy.ts'
import { createPolicies } from './policies/create-policies.ts'
import { updatePolicy } from './policies/update-policy.ts'
import { deletePolicy } from './policies/delete-policy.ts'
import { deletePolicies } from './policies/delete-policies.ts'
import { updateOrganizationName } from './organizations/update-organization-name.ts'
import { updateRootQuorum } from './organizations/update-root-quorum.ts'
import { setOrganizationFeature } from './organizations/set-organization-feature.ts'
import { removeOrganizationFeature } from './organizations/remove-organization-feature.ts'
import { deleteSubOrganization } from './organizations/delete-sub-organization.ts'

/** Every activity of the service. Routes, reading, policy vocabulary, OpenAPI, reference and tests follow from this list. */
export const activities: readonly Activity[] = [
  createPrivateKeys,
  signRawPayload,
  approveActivity,
  rejectActivity,
  createPolicy,
  createPolicies,
  updatePolicy,
  deletePolicy,
  deletePolicies,
  updateOrganizationName,
  updateRootQuorum,
  setOrganizationFeature,
  removeOrganizationFeature,
  deleteSubOrganization,
]
