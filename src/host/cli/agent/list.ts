import { readArguments } from '../arguments.ts'
import { callerFrom } from '../caller.ts'
import { aligned, printable } from '../policies/printable.ts'
import { agentIn } from './located.ts'
import { type Organization, ownSubOrganizations, readOrganization } from './organization.ts'
import { stateOf } from './show.ts'
import type { Terminal } from './terminal.ts'
import { agentNameIn } from './wanted-agent.ts'

/** `claviger agent list`: the agents of the sender's organization, and of the sub-organizations that the sender has made for one. */
export async function listAgents(args: readonly string[], terminal: Terminal): Promise<number> {
  const values = readArguments(args, { as: { type: 'string' } })
  const home = await readOrganization(callerFrom(values.as, terminal.environment))
  const organizations = [home, ...(await ownSubOrganizations(home.caller))]
  const rows = organizations.flatMap((organization) => agentsOf(organization, terminal.now()))
  const lines = rows.length === 0 ? ['no agents'] : aligned(rows)
  terminal.write(`${lines.join('\n')}\n`)
  return 0
}

function agentsOf(organization: Organization, now: number): readonly (readonly string[])[] {
  const names = [
    ...organization.users.map(({ userName }) => userName),
    ...organization.policies.map(({ policyName }) => policyName.split(':')[0] ?? ''),
  ].flatMap((label) => agentNameIn(label) ?? [])
  return [...new Set(names)].flatMap((name) => {
    const agent = agentIn(organization, name)
    return agent === undefined ? [] : [[name, printable(organization.name), stateOf(agent, now)]]
  })
}
