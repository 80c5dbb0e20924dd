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

export async function walletsOf(caller: Caller) {
  return (await signedQuery(caller, 'list_wallets', {}, wallets)).wallets
}

/** The first hundred accounts of a wallet. */
export async function accountsOf(caller: Caller, walletId: string): Promise<readonly StoredAccount[]> {
  const asked = { walletId, paginationOptions: { limit: '100' } }
  return (await signedQuery(caller, 'list_wallet_accounts', asked, accounts)).accounts
}

const PAGE = 100

/**
 * All activities that wait for approvals or for proof, newest first.
 *
 * @param types  only of these types, if any are named
 */
export async function waitingActivities(
  caller: Caller,
  types: readonly string[] = [],
): Promise<readonly SubmittedActivity[]> {
  const found: SubmittedActivity[] = []
  for (;;) {
    const after = found.at(-1)?.id
    const asked = {
      filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
      filterByType: types,
      paginationOptions: { limit: String(PAGE), ...(after === undefined ? {} : { after }) },
    }
    const page = (await signedQuery(caller, 'list_activities', asked, activities)).activities
    found.push(...page.filter((activity) => activity !== undefined))
    if (page.length < PAGE) return found
  }
}

/** The user that is this agent. */
export function agentUser({ users: all }: Organization, name: string): StoredUser | undefined {
  return all.find(({ userName }) => userName === agentLabel(name))
}

/** The policies that were made for this agent. */
export function policiesOfAgent({ policies: all }: Organization, name: string): readonly StoredPolicy[] {
  return all.filter(({ policyName }) => policyName.startsWith(`${agentLabel(name)}: `))
}
