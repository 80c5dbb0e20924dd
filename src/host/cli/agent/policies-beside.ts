import { parseConsensus } from '../../../trusted/policy/consensus.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import { type Approval, peopleFacts } from '../../../trusted/policy/people.ts'
import { decisionBudget } from '../../../trusted/policy/run.ts'
import { agentLabel } from './wanted-agent.ts'
import type { StoredPolicy } from './organization.ts'

/**
 * The names of the other ALLOW policies that are content with this user's approval alone. What they allow is allowed to
 * the agent too, as far as no denial of its own speaks of it.
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
    // What this version cannot read never allows.
    if (error instanceof Failure) return false
    throw error
  }
}
