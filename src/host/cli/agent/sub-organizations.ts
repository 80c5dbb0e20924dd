import { list, object, uuid } from '../../../trusted/catalogue/shape.ts'
import { CommandError } from '../command-error.ts'
import { printable } from '../policies/printable.ts'
import { type Caller, ServiceError, ServiceUnreachable, signedQuery } from '../signed-query.ts'
import { isAloneIn } from './check-adopted.ts'
import { agentUser, type Organization, policiesOfAgent, readOrganization } from './organization.ts'
import type { Terminal } from './terminal.ts'
import { agentLabel } from './wanted-agent.ts'

const PAGE = 100
const page = object({ organizationIds: list(uuid, { max: PAGE }) })

/**
 * The sub-organization of an agent, if the sender's key is a credential there; undefined if there is none.
 *
 * A stranger may make a sub-organization with the name of this one, and add the sender's key to it. Of several, only
 * one in which the sender alone is root is taken, and the others are named.
 *
 * @throws CommandError  if several may be meant
 */
export async function subOrganizationFor(
  caller: Caller,
  name: string,
  { warn }: Pick<Terminal, 'warn'>,
): Promise<Organization | undefined> {
  const named = await subOrganizationIds(caller, 'NAME', agentLabel(name))
  if (named.length === 0) return undefined
  const own = new Set(await subOrganizationIds(caller, 'PUBLIC_KEY', caller.signer.publicKey))
  const ids = named.filter((id) => own.has(id))
  const [only, ...others] = ids
  if (only === undefined) return undefined
  if (others.length === 0) return await readOrganization({ ...caller, organizationId: only })
  const found = ownOf(await readEach(caller, ids), name)
  if (found === undefined)
    throw new CommandError(
      `several sub-organizations are called ${agentLabel(name)} and have your key: ${ids.join(', ')}; let ORGANIZATION_ID in the file of --as name the one that you mean`,
    )
  for (const id of ids)
    if (id !== found.caller.organizationId)
      warn(`another sub-organization ${agentLabel(name)} (${id}) has your key, and is left as it is\n`)
  return found
}

/** The only one in which the sender alone is root; of several, the only one with the agent. */
function ownOf(read: readonly Read[], name: string): Organization | undefined {
  const own = read.flatMap(({ organization }) =>
    organization !== undefined && isAloneIn(organization, agentLabel(name)) ? [organization] : [],
  )
  const made = own.filter(
    (one) => agentUser(one, name) !== undefined || policiesOfAgent(one, name).length > 0,
  )
  const [found, ...others] = own.length === 1 ? own : made
  return others.length === 0 ? found : undefined
}

/** The sub-organizations with the sender's key as a credential, as far as they can be read, at most a hundred. */
export async function ownSubOrganizations(
  caller: Caller,
  { warn }: Pick<Terminal, 'warn'>,
): Promise<readonly Organization[]> {
  const ids = await subOrganizationIds(caller, 'PUBLIC_KEY', caller.signer.publicKey, READ_MAX)
  if (ids.length > READ_MAX)
    warn(
      `more than ${READ_MAX} sub-organizations have your key: the agents of the newer ones are not listed\n`,
    )
  const read = await readEach(caller, ids.slice(0, READ_MAX))
  for (const { id, refusal = '' } of read.filter(({ organization }) => organization === undefined))
    warn(
      `a sub-organization with your key cannot be read, and its agents are not listed: ${id}: ${printable(refusal)}\n`,
    )
  return read.flatMap(({ organization }) => organization ?? [])
}

const READ_MAX = 100

type Read = {
  readonly id: string
  readonly organization?: Organization
  readonly refusal?: string
}

/** A sub-organization with this key may be that of a stranger, which may refuse to be read. */
async function readEach(caller: Caller, ids: readonly string[]): Promise<readonly Read[]> {
  const read: Read[] = []
  for (const id of ids)
    try {
      read.push({ id, organization: await readOrganization({ ...caller, organizationId: id }) })
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof ServiceUnreachable) throw error
      read.push({ id, refusal: error.message })
    }
  return read
}

async function subOrganizationIds(
  caller: Caller,
  filterType: 'NAME' | 'PUBLIC_KEY',
  filterValue: string,
  idsMax = IDS_MAX,
): Promise<readonly string[]> {
  const found: string[] = []
  while (found.length <= idsMax) {
    const after = found.at(-1)
    const paginationOptions = { limit: String(PAGE), ...(after === undefined ? {} : { after }) }
    const asked = { filterType, filterValue, paginationOptions }
    const { organizationIds } = await signedQuery(caller, 'list_suborgs', asked, page)
    found.push(...organizationIds)
    if (organizationIds.length < PAGE) break
  }
  return found
}

/** A platform may have as many; a service that never ends its list is given up on. */
const IDS_MAX = 1_000_000
