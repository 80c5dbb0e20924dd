import { ofServices, readArguments } from '../arguments.ts'
import { callerFrom } from '../caller.ts'
import { aligned, printable } from '../policies/printable.ts'
import { agentIn } from './located.ts'
import { type Organization, readOrganization } from './organization.ts'
import { stateOf } from './show.ts'
import { ownSubOrganizations } from './sub-organizations.ts'
import type { Terminal } from './terminal.ts'
import { agentNameIn } from './wanted-agent.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * `claviger agent list`: the agents of the sender's organization, and of the sub-organizations that the sender has made
 * for agents.
 */
export async function listAgents(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode<'agent list'>> {
  const values = readArguments(args, ofServices)
  const home = await readOrganization(callerFrom(values.as, terminal.environment))
  const organizations = [home, ...(await ownSubOrganizations(home.caller, terminal))]
  const agents = organizations.flatMap((organization) => agentsOf(organization, terminal.now()))
  const rows = agents.map(({ name, organization, state }) => [name, printable(organization), state])
  const lines = rows.length === 0 ? ['no agents'] : aligned(rows)
  terminal.write(`${lines.join('\n')}\n`)
  terminal.tell({ agents })
  return 0
}

type Listed = {
  readonly name: string
  /** The name of the organization. */
  readonly organization: string
  readonly organizationId: string
  readonly state: string
}

function agentsOf(organization: Organization, now: number): readonly Listed[] {
  const names = [
    ...organization.users.map(({ userName }) => userName),
    ...organization.policies.map(({ policyName }) => policyName.split(':')[0] ?? ''),
  ].flatMap((label) => agentNameIn(label) ?? [])
  return [...new Set(names)].flatMap((name) => {
    const agent = agentIn(organization, name)
    if (agent === undefined) return []
    const { organizationId } = organization.caller
    return [{ name, organization: organization.name, organizationId, state: stateOf(agent, now) }]
  })
}
