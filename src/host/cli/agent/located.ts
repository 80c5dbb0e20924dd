import { callerFrom } from '../caller.ts'
import { type Caller, ServiceError } from '../signed-query.ts'
import { ofServices, oneAndOptions } from '../arguments.ts'
import { printable } from '../policies/printable.ts'
import { CommandError } from '../command-error.ts'
import { agentName } from './create-options.ts'
import { textIn } from './expression-text.ts'
import {
  agentUser,
  type Organization,
  policiesOfAgent,
  readOrganization,
  type StoredPolicy,
  type StoredUser,
} from './organization.ts'
import { subOrganizationFor } from './sub-organizations.ts'
import type { Terminal } from './terminal.ts'

/** An existing agent: its user, its policies, or the rest of them. */
export type LocatedAgent = {
  readonly name: string
  readonly organization: Organization
  readonly user: StoredUser | undefined
  readonly policies: readonly StoredPolicy[]
  /** The id of the user, even after the user was deleted. */
  readonly userId: string | undefined
}

/**
 * The agent in a command line, in the sender's organization or in a sub-organization of its own.
 *
 * @throws CommandError
 */
export async function locatedAgent(args: readonly string[], terminal: Terminal): Promise<LocatedAgent> {
  const { subject, values } = oneAndOptions(args, 'the name of an agent', ofServices)
  const name = agentName(subject)
  const caller = callerFrom(values.as, terminal.environment)
  const own = agentIn(await readOrganization(caller), name)
  if (own !== undefined) terminal.warn(await aboutOther(caller, name, terminal))
  const found = own ?? (await agentOfSubOrganization(caller, name, terminal))
  if (found === undefined) throw new CommandError(`there is no agent ${name}`)
  return found
}

/** Anybody who may make a user can give it this name, and the one that an operator means to stop would go on unseen. */
async function aboutOther(caller: Caller, name: string, terminal: Terminal): Promise<string> {
  try {
    const other = await agentOfSubOrganization(caller, name, terminal)
    if (other === undefined) return ''
    const { organizationId } = other.organization.caller
    return (
      `another agent ${name} is in ${printable(other.organization.name)} (${organizationId}), and is left as it is: ` +
      'for it, let ORGANIZATION_ID in the file of --as name that organization\n'
    )
  } catch (error) {
    // A sub-organization of this name, and with this key, may be that of a stranger, which may refuse to be read.
    if (!(error instanceof ServiceError || error instanceof CommandError)) throw error
    const what =
      error instanceof ServiceError ? 'a sub-organization, which cannot be read' : 'a sub-organization'
    return `another agent ${name} may be in ${what}: ${printable(error.message)}\n`
  }
}

export function agentIn(organization: Organization, name: string): LocatedAgent | undefined {
  const user = agentUser(organization, name)
  const policies = policiesOfAgent(organization, name)
  if (user === undefined && policies.length === 0) return undefined
  return { name, organization, user, policies, userId: user?.userId ?? userIdIn(policies) }
}

async function agentOfSubOrganization(
  caller: Caller,
  name: string,
  terminal: Terminal,
): Promise<LocatedAgent | undefined> {
  const organization = await subOrganizationFor(caller, name, terminal)
  return organization === undefined ? undefined : agentIn(organization, name)
}

/** Every agent has a policy whose consensus names its user. */
function userIdIn(policies: readonly StoredPolicy[]): string | undefined {
  const [, userId] =
    policies
      .map(({ consensus }) => /^approvers\.any\(p, p\.id == '([0-9a-f-]{36})'\)$/.exec(consensus))
      .find((found) => found !== null) ?? []
  return userId
}

const PAUSED = 'paused'

/** The policy that pauses an agent; undefined while it is active, whatever has the name of that policy. */
export function pausedBy({
  name,
  policies,
  userId,
}: Pick<LocatedAgent, 'name' | 'policies' | 'userId'>): StoredPolicy | undefined {
  if (userId === undefined) return undefined
  const pause = pausePolicy(name, userId)
  return policies.find(
    ({ policyName, effect, condition, consensus, time = '' }) =>
      policyName === pause.policyName &&
      effect === pause.effect &&
      consensus === pause.consensus &&
      condition === '' &&
      time === '',
  )
}

/** Denies all activities in which the agent takes part. */
export function pausePolicy(name: string, userId: string) {
  return {
    policyName: `agent ${name}: ${PAUSED}`,
    effect: 'EFFECT_DENY',
    consensus: `approvers.any(p, p.id == ${textIn(userId)})`,
    notes: '',
  }
}
