import { list, object } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { userShape } from '../../queries/users/user-shape.ts'
import { explained } from '../../queries/rehearsals/explain-activity.ts'
import { quoted } from '../../approval/visible.ts'
import { listedPolicies } from '../policies/policy-names.ts'
import { type Caller, ServiceError, signedQuery } from '../signed-query.ts'

/** The host's statements about an activity, besides its bytes. They are unproven, and do not change the words. */
export type HostNames = {
  /** The names of users and policies by id; undefined if the host gives no name. */
  readonly nameOf: (id: string) => string | undefined
  /** The present text of a policy, by its id, before a request changes it; ready for display. */
  readonly presentOf: (policyId: string) => string | undefined
  /** The users whose approval would count. */
  readonly voters: readonly string[]
  /** The policies that wait for approvals. */
  readonly policyIds: readonly string[]
}

const named = object({ users: list(userShape, { max: limits.users }) })

/** A host without these answers leaves the words unchanged. */
export async function hostNames(caller: Caller, activityId: string): Promise<HostNames> {
  const names = new Map<string, string>()
  const [users, policies, judged] = await Promise.all([
    orNothing(() => signedQuery(caller, 'list_users', {}, named)),
    orNothing(() => listedPolicies(caller)),
    orNothing(() => signedQuery(caller, 'explain_activity', { activityId }, explained)),
  ])
  for (const { userId, userName } of users?.users ?? []) names.set(userId, userName)
  const present = new Map<string, string>()
  for (const { policyId, policyName, effect, condition, consensus, time } of policies ?? []) {
    names.set(policyId, policyName)
    const parts = Object.entries({ effect, condition, consensus, time })
    present.set(
      policyId,
      parts.flatMap(([part, text]) => (text ? [`${part}: ${quoted(text)}`] : [])).join(' · '),
    )
  }
  const evaluations = judged?.judgement.policyEvaluations ?? []
  return {
    nameOf: (id) => names.get(id),
    presentOf: (policyId) => present.get(policyId),
    voters: judged?.judgement.voters ?? [],
    policyIds: evaluations
      .filter(({ outcome }) => outcome === 'OUTCOME_REQUIRES_CONSENSUS')
      .map(({ policyId }) => policyId),
  }
}

async function orNothing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
