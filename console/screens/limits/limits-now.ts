import { firstPages } from '../../parts/first-pages.ts'
import { type Answered, StrangeAnswer } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'

/** A limit of a policy, with what each of its meters has counted; the fullest first. */
export type Limit = {
  readonly policyId: string
  readonly policyName: string
  readonly usage: string
  readonly most: bigint
  readonly counts: readonly Count[]
}

export type Count = {
  readonly meterId: string
  readonly usage: string
  /** What it is counted by; a user by name. */
  readonly countedBy: readonly string[]
  readonly used: bigint
  readonly releases: readonly Release[]
}

/** In milliseconds since 1970. */
export type Release = { readonly at: number; readonly amount: bigint }

const PAGE = '100'

/** The limits, and so many pages of what was counted. */
export async function limitsNow(
  session: Session,
  pages: number,
): Promise<{ readonly limits: readonly Limit[]; readonly hasMore: boolean }> {
  const users = (await session.query('list_users')).list('users')
  const names = new Map(users.map((user) => [user.text('userId'), user.text('userName')]))
  let limits: readonly Answered[] = []
  const { items, hasMore } = await firstPages(pages, async (after) => {
    const answer = await session.query('list_limit_usage', { limit: PAGE, ...after })
    limits = answer.list('limits')
    return {
      items: answer.list('counts').map((count) => countOf(count, names)),
      next: answer.textOrNone('next'),
    }
  })
  return { limits: limits.map((limit) => limitOf(limit, items)), hasMore }
}

function limitOf(limit: Answered, counts: readonly Count[]): Limit {
  const usage = limit.text('usage')
  return {
    policyId: limit.text('policyId'),
    policyName: limit.text('policyName'),
    usage,
    most: amountOf(limit, 'most'),
    counts: counts
      .filter((count) => count.usage === usage)
      .toSorted((a, b) => (a.used === b.used ? 0 : a.used < b.used ? 1 : -1)),
  }
}

function countOf(count: Answered, names: ReadonlyMap<string, string>): Count {
  return {
    meterId: count.text('meterId'),
    usage: count.text('usage'),
    countedBy: count.texts('countedBy').map((value) => names.get(value) ?? value),
    used: amountOf(count, 'used'),
    releases: count.list('releases').map((release) => ({
      at: release.object('at').number('seconds') * 1_000,
      amount: amountOf(release, 'amount'),
    })),
  }
}

function amountOf(answer: Answered, name: string): bigint {
  const text = answer.text(name)
  if (!/^-?\d{1,100}$/.test(text)) throw new StrangeAnswer(`${answer.path}${name}`)
  return BigInt(text)
}
