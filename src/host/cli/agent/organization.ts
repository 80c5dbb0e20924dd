import { list, object, text, type TypeOf, uuid } from '../../../trusted/catalogue/shape.ts'
import { featureLists } from '../../../trusted/activities/organizations/feature-list.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { quorumShape } from '../../queries/organizations/get-organization-configs.ts'
import { policyShape, walletAccountShape, walletShape } from '../../queries/shapes.ts'
import { userShape } from '../../queries/users/user-shape.ts'
import { activityIn, type SubmittedActivity } from '../signed-activity.ts'
import { type Caller, signedQuery } from '../signed-query.ts'
import { agentLabel } from './wanted-agent.ts'

const identity = object({
  organizationId: uuid,
  organizationName: text({ max: 255 }),
  userId: uuid,
  username: text({ max: 255 }),
})
const users = object({ users: list(userShape, { max: limits.users }) })
const policies = object({ policies: list(policyShape, { max: limits.policies }) })
const configs = object({ configs: object({ ...featureLists, quorum: quorumShape }) })
const wallets = object({ wallets: list(walletShape, { max: limits.wallets }) })
const accounts = object({ accounts: list(walletAccountShape, { max: 100 }) })
const suborgs = object({ organizationIds: list(uuid, { max: 100 }) })
const activities = object({ activities: list({ read: activityIn, schema: {} }, { max: 100 }) })

export type StoredUser = TypeOf<typeof userShape>
export type StoredPolicy = TypeOf<typeof policyShape>
type StoredAccount = TypeOf<typeof walletAccountShape>

/** An organization in the view of its members, and the sender. */
export type Organization = {
  readonly caller: Caller
  readonly name: string
  readonly userId: string
  readonly users: readonly StoredUser[]
  readonly policies: readonly StoredPolicy[]
  readonly quorum: TypeOf<typeof quorumShape>
}

export async function readOrganization(caller: Caller): Promise<Organization> {
  const { userId, organizationName } = await signedQuery(caller, 'whoami', {}, identity)
  const read = await signedQuery(caller, 'list_users', {}, users)
  const { policies: stored } = await signedQuery(caller, 'list_policies', {}, policies)
  const { quorum } = (await signedQuery(caller, 'get_organization_configs', {}, configs)).configs
  return { caller, name: organizationName, userId, users: read.users, policies: stored, quorum }
}

/** The sub-organization of an agent, if the sender's key is a credential there; undefined if there is none. */
export async function subOrganizationFor(caller: Caller, name: string): Promise<Organization | undefined> {
  const filter = { filterType: 'NAME', filterValue: agentLabel(name) }
  const named = (await signedQuery(caller, 'list_suborgs', filter, suborgs)).organizationIds
  const own = await ownSubOrganizationIds(caller)
  const organizationId = named.find((id) => own.includes(id))
  return organizationId === undefined ? undefined : await readOrganization({ ...caller, organizationId })
}

export async function walletsOf(caller: Caller) {
  return (await signedQuery(caller, 'list_wallets', {}, wallets)).wallets
}

/** The first hundred accounts of a wallet. */
export async function accountsOf(caller: Caller, walletId: string): Promise<readonly StoredAccount[]> {
  const asked = { walletId, paginationOptions: { limit: '100' } }
  return (await signedQuery(caller, 'list_wallet_accounts', asked, accounts)).accounts
}

async function ownSubOrganizationIds(caller: Caller): Promise<readonly string[]> {
  const filter = { filterType: 'PUBLIC_KEY', filterValue: caller.signer.publicKey }
  return (await signedQuery(caller, 'list_suborgs', filter, suborgs)).organizationIds
}

const PAGE = 100

/** All activities that wait for approvals or for proof, newest first. */
export async function waitingActivities(caller: Caller): Promise<readonly SubmittedActivity[]> {
  const found: SubmittedActivity[] = []
  for (;;) {
    const after = found.at(-1)?.id
    const asked = {
      filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
      paginationOptions: { limit: String(PAGE), ...(after === undefined ? {} : { after }) },
    }
    const page = (await signedQuery(caller, 'list_activities', asked, activities)).activities
    found.push(...page.filter((activity) => activity !== undefined))
    if (page.length < PAGE) return found
  }
}

/** The sub-organizations, at most a hundred, with the sender's key as a credential. */
export async function ownSubOrganizations(caller: Caller): Promise<readonly Organization[]> {
  const filter = { filterType: 'PUBLIC_KEY', filterValue: caller.signer.publicKey }
  const { organizationIds } = await signedQuery(caller, 'list_suborgs', filter, suborgs)
  const read: Organization[] = []
  for (const organizationId of organizationIds)
    read.push(await readOrganization({ ...caller, organizationId }))
  return read
}

/** The user that is this agent. */
export function agentUser({ users: all }: Organization, name: string): StoredUser | undefined {
  return all.find(({ userName }) => userName === agentLabel(name))
}

/** The policies that were made for this agent. */
export function policiesOfAgent({ policies: all }: Organization, name: string): readonly StoredPolicy[] {
  return all.filter(({ policyName }) => policyName.startsWith(`${agentLabel(name)}: `))
}
