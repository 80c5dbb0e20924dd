import { parseConsensus } from '../../../trusted/policy/consensus.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import { type Approval, peopleFacts } from '../../../trusted/policy/people.ts'
import { decisionBudget } from '../../../trusted/policy/run.ts'
import { agentLabel } from './wanted-agent.ts'
import type { StoredPolicy } from './organization.ts'

/**
 * The names of the other ALLOW policies that this user's approval alone satisfies. The agent gets their permissions
 * too, as far as its own denials do not exclude them.
 */
export function policiesBeside(
  policies: readonly StoredPolicy[],
  {
    name,
    userId,
    userTags = [],
  }: { readonly name: string; readonly userId: string; readonly userTags?: readonly string[] },
): readonly string[] {
  const user = { id: userId, tags: userTags, email: '', alias: agentLabel(name) }
  const approval: Approval = { user, credentials: [] }
  return policies
    .filter(({ policyName }) => !policyName.startsWith(`${agentLabel(name)}: `))
    .filter(({ effect, consensus }) => effect === 'EFFECT_ALLOW' && isContent(consensus, approval))
    .map(({ policyName }) => policyName)
}

function isContent(consensus: string, approval: Approval): boolean {
  if (consensus === '') return true
  try {
    return parseConsensus(consensus).evaluate(peopleFacts([approval]), decisionBudget(1)) === true
  } catch (error) {
    // A policy that this version cannot read never allows.
    if (error instanceof Failure) return false
    throw error
  }
}
