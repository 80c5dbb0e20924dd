import { CommandError } from '../command-error.ts'
import { locatedAgent, type LocatedAgent, pausedBy, pausePolicy } from './located.ts'
import { rejectWaiting } from './reject-waiting.ts'
import { carriedOut, WaitsForOthers } from './step.ts'
import type { Terminal } from './terminal.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger agent pause`: one policy that denies all activities in which the agent takes part, until `resume`. */
export async function pauseAgent(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode<'agent pause'>> {
  const agent = await locatedAgent(args, terminal)
  const { name, organization, user } = agent
  if (user === undefined) throw new CommandError(`agent ${name} is revoked already`)
  if (pausedBy(agent) === undefined) {
    const policy = pausePolicy(name, user.userId)
    refuseNamesake(agent, policy)
    try {
      const step = { type: 'ACTIVITY_TYPE_CREATE_POLICY_V3', parameters: policy, mark: policy.policyName }
      await carriedOut(organization, step, terminal.now)
    } catch (error) {
      if (!(error instanceof WaitsForOthers)) throw error
      throw new WaitsForOthers(`${error.message}\nuntil then it goes on${revokedAlone(agent)}`)
    }
  }
  // First, since there may be many requests to reject, and a limit of requests may end that.
  terminal.write(
    `agent ${name} is paused: everything it asks for is denied. claviger agent resume ${name} ends that.\n`,
  )
  const waiting = await rejectWaiting(agent, terminal)
  terminal.tell({ name, paused: true, waiting })
  return 0
}

/** A policy that was changed, or that somebody else has made. Names are unique, so the right one cannot be made. */
function refuseNamesake(
  { name, policies }: LocatedAgent,
  { policyName }: { readonly policyName: string },
): void {
  const other = policies.find((policy) => policy.policyName === policyName)
  if (other !== undefined)
    throw new CommandError(
      `agent ${name} goes on: the policy "${policyName}" (${other.policyId}) does not deny all that it does; delete that policy, and pause again`,
    )
}

function revokedAlone({ name, policies, organization }: LocatedAgent): string {
  const stop = policies.find(({ policyName }) => policyName === `agent ${name}: may be stopped`)
  return stop?.consensus.includes(organization.userId) === true
    ? `; claviger agent revoke ${name} stops it at once, and you may do that alone`
    : ''
}

/** `claviger agent resume`: removes the policy of `pause`. */
export async function resumeAgent(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode<'agent resume'>> {
  const agent = await locatedAgent(args, terminal)
  const policyId = pausedBy(agent)?.policyId
  if (policyId !== undefined)
    await carriedOut(
      agent.organization,
      { type: 'ACTIVITY_TYPE_DELETE_POLICY', parameters: { policyId }, mark: policyId },
      terminal.now,
    )
  terminal.tell({ name: agent.name, paused: false })
  terminal.write(`agent ${agent.name} is not paused.\n`)
  return 0
}

/** `claviger agent revoke`: deletes the user, and with it every key; then removes the other parts. */
export async function revokeAgent(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode<'agent revoke'>> {
  const agent = await locatedAgent(args, terminal)
  const { name, organization, user, policies } = agent
  if (user !== undefined) {
    const { userId } = user
    const step = { type: 'ACTIVITY_TYPE_DELETE_USERS', parameters: { userIds: [userId] }, mark: userId }
    await carriedOut(organization, step, terminal.now)
    terminal.write(
      `agent ${name} is revoked: its user and its keys are deleted, and nothing is signed for it any more.\n`,
    )
  }
  const waiting = await rejectWaiting(agent, terminal)
  if (policies.length > 0) {
    const policyIds = policies.map(({ policyId }) => policyId)
    const step = {
      type: 'ACTIVITY_TYPE_DELETE_POLICIES',
      parameters: { policyIds },
      mark: policyIds[0] ?? '',
    }
    await carriedOut(organization, step, terminal.now)
  }
  terminal.tell({ name, revoked: true, waiting, policies: policies.length })
  const wallet = hasWallet(policies) ? ' Its wallet is still there.' : ''
  terminal.write(`The policies of agent ${name} are deleted.${wallet}\n`)
  return 0
}

/** The policies of an agent that signs name its wallet, and no others do. */
function hasWallet(policies: LocatedAgent['policies']): boolean {
  return policies.some(({ condition }) => condition.includes('wallet.id '))
}
