import { CommandError } from '../command-error.ts'
import { agentPolicies } from './agent-policies.ts'
import { pausedBy } from './located.ts'
import { notesOf } from './policy-notes.ts'
import type { AgentPolicy } from './policy-parts.ts'
import type { Make } from './make.ts'
import { type Organization, policiesOfAgent } from './organization.ts'
import type { AgentIds, WantedAgent } from './wanted-agent.ts'

/** Makes all policies of an agent in one activity, so none of them exists without the others. */
export async function makePolicies(
  organization: Organization,
  wanted: WantedAgent,
  ids: AgentIds,
  make: Make,
): Promise<void> {
  const planned = agentPolicies(wanted, ids)
  const there = policiesOfAgent(organization, wanted.name)
  if (there.length === 0) {
    const policies = planned.map((policy) => {
      const { sentence: _, ...terms } = policy
      return { ...terms, notes: notesOf(policy) }
    })
    const mark = planned[0]?.policyName ?? ''
    await make(organization, { type: 'ACTIVITY_TYPE_CREATE_POLICIES', parameters: { policies }, mark })
    return
  }
  const isThere = (policy: AgentPolicy) =>
    there.some(
      (stored) =>
        stored.policyName === policy.policyName &&
        stored.effect === policy.effect &&
        stored.condition === (policy.condition ?? '') &&
        stored.consensus === (policy.consensus ?? '') &&
        (stored.time ?? '') === '',
    )
  // A further policy with the agent's name belongs to another author.
  const further =
    there.length -
    planned.length -
    (pausedBy({ name: wanted.name, policies: there, userId: ids.userId }) === undefined ? 0 : 1)
  if (!planned.every(isThere) || further > 0)
    throw new CommandError(
      `agent ${wanted.name} exists with other policies: delete them with claviger agent revoke ${wanted.name}`,
    )
}
