import { Refused } from '../../service/post.ts'
import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { Answered, StrangeAnswer } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { called } from '../../words/plain-text.ts'
import type { ShownActivity } from './waiting.ts'

/** What the host says beside the request. None of it is proven, and none of it changes the words. */
export type HostWord = {
  /** Users by their ids. */
  readonly users: ReadonlyMap<string, string>
  /** Of users, policies and keys by their ids and addresses, and of wallets by addresses of theirs. */
  readonly nameOf: (text: string | undefined) => string | undefined
  /** What a policy says now, by its id: before a request changes it. */
  readonly present: ReadonlyMap<string, string>
  readonly voters: readonly string[]
  /** Whether an approval of this user would complete it; undefined where they have none, or nothing is said. */
  readonly completes: boolean | undefined
  /** Those that wait for approvals. */
  readonly policies: readonly { readonly id: string; readonly name: string }[]
}

export async function usersOf(session: Session): Promise<ReadonlyMap<string, string>> {
  return namesOfUsers(await rowsOf(session, 'list_users', 'users'))
}

function namesOfUsers(users: readonly Answered[]): ReadonlyMap<string, string> {
  return new Map(users.map((user) => [user.text('userId'), user.text('userName')]))
}

/** As `claviger agent create` names its users. */
export function isAgent(userName: string | undefined): boolean {
  return userName?.startsWith('agent ') === true
}

/** @param addresses  that stand in the request, and that may be of the organization itself */
export async function hostWord(
  session: Session,
  { checked: { host }, request }: ShownActivity,
  addresses: readonly string[],
): Promise<HostWord> {
  const { activityId } = host
  const [people, judged, policies, keys, accounts, completes] = await Promise.all([
    rowsOf(session, 'list_users', 'users'),
    orNothing(() => session.query('explain_activity', { activityId })),
    rowsOf(session, 'list_policies', 'policies'),
    namesOfKeys(session),
    namesOfAccounts(session, addresses),
    host.canApprove ? isLastApproval(session, host, request) : undefined,
  ])
  const users = namesOfUsers(people)
  const judgement = judged?.object('judgement')
  const waiting = (judgement?.listOrNone('policyEvaluations') ?? [])
    .filter((each) => each.text('outcome') === 'OUTCOME_REQUIRES_CONSENSUS')
    .map((each) => each.text('policyId'))
  const listedPolicies = policies.map((policy) => ({
    id: policy.text('policyId'),
    name: policy.text('policyName'),
    text: PARTS.flatMap((part) =>
      policy.textOrNone(part) === '' ? [] : [`${part}: ${called(policy.text(part), '')}`],
    ).join(' · '),
  }))
  const names = namesBy([
    ...users,
    ...listedPolicies.map(({ id, name }) => [id, name] as const),
    ...keys,
    ...accounts,
  ])
  return {
    users,
    nameOf: names,
    present: new Map(listedPolicies.map(({ id, text }) => [id, text])),
    voters: judgement?.has('voters') === true ? judgement.texts('voters') : [],
    completes,
    policies: waiting.slice(0, POLICIES_MAX).map((id) => ({ id, name: names(id) ?? id })),
  }
}

const PARTS = ['effect', 'condition', 'consensus', 'time'] as const
const POLICIES_MAX = 5
const WALLETS_MAX = 20

type Names = readonly (readonly [text: string, name: string])[]

function namesBy(named: Names): HostWord['nameOf'] {
  const names = new Map(named)
  return (text = '') => names.get(text)
}

/** What private keys are called, by their ids and their addresses. */
export async function namesOfSigners(session: Session): Promise<HostWord['nameOf']> {
  return namesBy(await namesOfKeys(session))
}

async function namesOfKeys(session: Session): Promise<Names> {
  const keys = await rowsOf(session, 'list_private_keys', 'privateKeys')
  return keys.flatMap((key) => {
    const name = key.text('privateKeyName')
    const addresses = key.listOrNone('addresses').map((one) => one.text('address'))
    return [key.text('privateKeyId'), ...addresses].map((text) => [text, name] as const)
  })
}

/**
 * Of the first wallets, the first accounts. To ask for an account by its address would be refused for each that is of
 * nobody here.
 */
async function namesOfAccounts(session: Session, addresses: readonly string[]): Promise<Names> {
  if (addresses.length === 0) return []
  const wallets = await rowsOf(session, 'list_wallets', 'wallets')
  const found = await Promise.all(
    wallets.slice(0, WALLETS_MAX).map(async (wallet) => {
      const page = { walletId: wallet.text('walletId'), paginationOptions: { limit: '100' } }
      const accounts = await rowsOf(session, 'list_wallet_accounts', 'accounts', page)
      return accounts.map((account) => [account.text('address'), wallet.text('walletName')] as const)
    }),
  )
  return found.flat()
}

/** The service tries it with one approval more; nothing is carried out. */
async function isLastApproval(
  session: Session,
  host: CheckedActivity['host'],
  request: string,
): Promise<boolean | undefined> {
  const tried = await orNothing(() => {
    const asked = new Answered(JSON.parse(request))
    const approved = host.votes.filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
    const others = approved.map(({ userId }) => userId).filter((id) => id !== host.askerId)
    return session.query('try_activity', {
      type: asked.text('type'),
      parameters: asked.object('parameters').value,
      userId: host.askerId,
      approverUserIds: [...others, session.userId],
    })
  })
  return tried === undefined ? undefined : tried.object('judgement').text('decision') === 'allow'
}

async function rowsOf(
  session: Session,
  operation: string,
  name: string,
  body = {},
): Promise<readonly Answered[]> {
  return (await orNothing(() => session.query(operation, body)))?.listOrNone(name) ?? []
}

/** A host that refuses to say something, or says something strange, leaves the words as they are. */
export async function orNothing(ask: () => Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused || error instanceof StrangeAnswer || error instanceof SyntaxError)
      return undefined
    throw error
  }
}
