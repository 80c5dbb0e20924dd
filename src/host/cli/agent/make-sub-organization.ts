import { ServiceError } from '../signed-query.ts'
import type { Make } from './make.ts'
import type { Organization } from './organization.ts'
import { subOrganizationFor } from './sub-organizations.ts'
import type { Terminal } from './terminal.ts'
import { agentLabel } from './wanted-agent.ts'

/** An organization for one agent. Its root user is the sender, with the same key. */
export async function makeSubOrganization(
  home: Organization,
  name: string,
  terminal: Terminal,
  make: Make,
): Promise<Organization> {
  const { caller, userId, users } = home
  const label = agentLabel(name)
  const userName = users.find((user) => user.userId === userId)?.userName ?? 'Root'
  const apiKeys = [
    { apiKeyName: userName, publicKey: caller.signer.publicKey, curveType: 'API_KEY_CURVE_P256' },
  ]
  await make(home, {
    type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7',
    parameters: {
      subOrganizationName: label,
      rootQuorumThreshold: 1,
      rootUsers: [{ userName, apiKeys, authenticators: [], oauthProviders: [] }],
    },
    mark: label,
  })
  const made = await subOrganizationFor(caller, name, terminal)
  if (made === undefined)
    throw new ServiceError(`the service has made the sub-organization ${label}, and does not list it`)
  return made
}
