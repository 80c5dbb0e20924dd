import { defineFailure, FAILED_PRECONDITION, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Steps } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import type { Charter, Policy } from './charter.ts'
import { limits, tooMany } from './limits.ts'
import { checkControls, costOfControls } from './velocity-controls.ts'
import { placed } from './placed.ts'

export const policyNotFound = defineFailure<{ readonly policyId: string; readonly organizationId: string }>({
  kind: 'policyNotFound',
  code: NOT_FOUND,
  say: ({ policyId, organizationId }) =>
    `unable to find policy ${policyId} in organization ${organizationId}`,
})

export const policyNameTaken = defineFailure<{ readonly policyName: string }>({
  kind: 'policyNameTaken',
  code: INVALID_ARGUMENT,
  say: ({ policyName }) =>
    `policy label must be unique: there is a policy named ${JSON.stringify(policyName)} already`,
})

type ChangedPolicy = { readonly what: 'policy' | 'MFA policy'; readonly name: string }

export const policyChangedMeanwhile = defineFailure<ChangedPolicy>({
  kind: 'policyChangedMeanwhile',
  code: FAILED_PRECONDITION,
  say: ({ what, name }) =>
    `${what} ${JSON.stringify(name)} changed after this request: read it, and send the request again`,
})

export function knownPolicy(charter: Charter, policyId: string): Policy {
  const policy = charter.policies.find((item) => item.policyId === policyId)
  if (policy === undefined) throw policyNotFound({ policyId, organizationId: charter.organizationId })
  return policy
}

/**
 * Refuses to change a policy that was changed while the request waited: an update keeps the terms that it does not
 * give, and people would get a policy that none of them has seen.
 *
 * @param waitedSince  the time of the request, where it has waited
 */
export function checkUnchanged(
  { updatedAt, ...policy }: ChangedPolicy & { readonly updatedAt: Ms },
  waitedSince: Ms | undefined,
): void {
  // Of two times within one millisecond nobody knows which was first.
  if (waitedSince !== undefined && updatedAt >= waitedSince) throw policyChangedMeanwhile(policy)
}

/**
 * The charter with this policy added, or in the place of the one with its id. Its terms have been checked by then.
 *
 * @param waitedSince  the time of the request, where it has waited
 */
export function withPolicy(charter: Charter, policy: Policy, waitedSince: Ms | undefined): Charter {
  const { policyId, policyName } = policy
  const policies = placed(charter.policies, policy, (other) => other.policyId === policyId)
  if (policies.some((other) => other !== policy && other.policyName === policyName))
    throw policyNameTaken({ policyName })
  checkControls(charter, policy.condition, waitedSince)
  if (policies.length > limits.policies) throw tooMany({ what: 'policies', max: limits.policies })
  return { ...charter, policies }
}

/** The same for several, one after the other, in steps: the controls that each names are looked for. */
export function* withPolicies(
  charter: Charter,
  policies: readonly Policy[],
  waitedSince: Ms | undefined,
): Steps<Charter> {
  let amended = charter
  for (const policy of policies) {
    yield costOfControls(policy.condition)
    amended = withPolicy(amended, policy, waitedSince)
  }
  return amended
}

/** The charter without these policies, each of which must be there. */
export function withoutPolicies(charter: Charter, policyIds: readonly string[]): Charter {
  for (const policyId of policyIds) knownPolicy(charter, policyId)
  return { ...charter, policies: charter.policies.filter(({ policyId }) => !policyIds.includes(policyId)) }
}
