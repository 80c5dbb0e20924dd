import { Refused } from '../../service/post.ts'
import { type Answered, StrangeAnswer } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'

/** What the host says beside the request. None of it is proven, and none of it changes the words. */
export type HostWord = {
  /** Users by their ids. */
  readonly users: ReadonlyMap<string, string>
  /** Of users and policies by their ids, and of wallets by addresses of theirs. */
  readonly names: ReadonlyMap<string, string>
  /** What a policy says now, by its id: before a request changes it. */
  readonly present: ReadonlyMap<string, string>
  readonly voters: readonly string[]
  readonly policies: readonly WaitingPolicy[]
}

type WaitingPolicy = {
  readonly name: string
  readonly limits: readonly { readonly usage: string; readonly windowMs: number; readonly most: string }[]
  readonly used: readonly string[]
}

export async function usersOf(session: Session): Promise<ReadonlyMap<string, string>> {
  const answer = await orNothing(() => session.query('list_users'))
  const users = answer?.listOrNone('users') ?? []
  return new Map(users.map((user) => [user.text('userId'), user.text('userName')]))
}

/** As `claviger agent create` names its users. */
export function isAgent(userName: string | undefined): boolean {
  return userName?.startsWith('agent ') === true
}

/** @param addresses  that stand in the request, and that may be of the organization itself */
export async function hostWord(
  session: Session,
  activityId: string,
  addresses: readonly string[],
): Promise<HostWord> {
  const [users, judged, policies, named] = await Promise.all([
    usersOf(session),
    orNothing(() => session.query('explain_activity', { activityId })),
    orNothing(() => session.query('list_policies')),
    namesOfAddresses(session, addresses),
  ])
  const judgement = judged?.object('judgement')
  const waiting = (judgement?.listOrNone('policyEvaluations') ?? [])
    .filter((each) => each.text('outcome') === 'OUTCOME_REQUIRES_CONSENSUS')
    .map((each) => each.text('policyId'))
  const listed = (policies?.listOrNone('policies') ?? []).map((policy) => ({
    id: policy.text('policyId'),
    name: policy.text('policyName'),
    text: PARTS.flatMap((part) =>
      policy.textOrNone(part) === '' ? [] : [`${part}: ${policy.text(part)}`],
    ).join(' · '),
  }))
  const nameOf = (id: string): string => listed.find((policy) => policy.id === id)?.name ?? id
  return {
    users,
    names: new Map([...users, ...listed.map(({ id, name }) => [id, name] as const), ...named]),
    present: new Map(listed.map(({ id, text }) => [id, text])),
    voters: judgement?.has('voters') === true ? judgement.texts('voters') : [],
    policies: await Promise.all(
      waiting.slice(0, POLICIES_MAX).map(async (policyId) => ({
        name: nameOf(policyId),
        ...(await limitsOf(session, policyId)),
      })),
    ),
  }
}

const PARTS = ['effect', 'condition', 'consensus', 'time'] as const
const POLICIES_MAX = 5
const WALLETS_MAX = 20

async function limitsOf(session: Session, policyId: string): Promise<Omit<WaitingPolicy, 'name'>> {
  const answer = await orNothing(() => session.query('list_limit_usage', { policyId }))
  return {
    limits: (answer?.listOrNone('limits') ?? []).map((limit) => ({
      usage: limit.text('usage'),
      windowMs: limit.number('windowMs'),
      most: limit.text('most'),
    })),
    used: (answer?.listOrNone('counts') ?? []).map((count) => count.text('used')),
  }
}

async function namesOfAddresses(
  session: Session,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wallets = (await orNothing(() => session.query('list_wallets')))?.listOrNone('wallets') ?? []
  const asked = wallets
    .slice(0, WALLETS_MAX)
    .flatMap((wallet) => addresses.map((address) => ({ wallet, address })))
  const found = await Promise.all(
    asked.map(async ({ wallet, address }) => {
      const walletId = wallet.text('walletId')
      const account = await orNothing(() => session.query('get_wallet_account', { walletId, address }))
      return account === undefined ? [] : [[address, wallet.text('walletName')] as const]
    }),
  )
  return new Map(found.flat())
}

/** A host that refuses to say something, or says something strange, leaves the words as they are. */
async function orNothing(ask: () => Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused || error instanceof StrangeAnswer) return undefined
    throw error
  }
}
