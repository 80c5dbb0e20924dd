import type { Unit } from '../../../src/host/approval/amounts.ts'
import { Failure } from '../../../src/trusted/base/failure.ts'
import { parse } from '../../../src/trusted/policy/parse.ts'
import { print } from '../../../src/trusted/policy/print.ts'
import type { Tree } from '../../../src/trusted/policy/tree.ts'
import { firstPages } from '../../parts/first-pages.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { type Pinned, pinnedIn } from '../../parts/pinned.ts'
import { unitOfSum } from '../../parts/unit-of.ts'
import { called } from '../../words/plain-text.ts'
import { amountOf } from './amount-of.ts'

/** A limit of a policy, with what each of its meters has counted; the fullest first. */
export type Limit = {
  readonly policyId: string
  readonly policyName: string
  readonly usage: string
  readonly windowMs: number
  /** What it sums up; undefined where it counts requests. */
  readonly amount: string | undefined
  /** What its amounts are in; undefined for plain numbers. */
  readonly unit: Unit | undefined
  readonly most: bigint
  /** Those that the policy can be about. */
  readonly counts: readonly Count[]
  /** How many more the same meter has, which the policy is not about. */
  readonly others: number
}

export type Count = {
  readonly meterId: string
  /** The same as that of each limit that it counts for. */
  readonly meter: string
  /** What it is counted by; a user by name and the end of the id. */
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
  const [users, policies] = await Promise.all([
    session.query('list_users').then((answer) => answer.list('users')),
    session.query('list_policies').then((answer) => answer.list('policies')),
  ])
  const names = new Map(users.map((user) => [user.text('userId'), user.text('userName')]))
  const conditions = new Map(
    policies.map((policy) => [policy.text('policyId'), policy.textOrNone('condition')]),
  )
  let limits: readonly Answered[] = []
  const { items, hasMore } = await firstPages(pages, async (after) => {
    const answer = await session.query('list_limit_usage', { limit: PAGE, ...after })
    limits = answer.list('limits')
    return { items: answer.list('counts').map(countOf), next: answer.textOrNone('next') }
  })
  return {
    limits: limits.map((limit) => {
      const { counts, ...rest } = limitOf(limit, conditions.get(limit.text('policyId')) ?? '', items)
      const named = counts.map(({ countedBy, ...count }) => ({
        ...count,
        countedBy: countedBy.map((value) => {
          const name = names.get(value)
          return name === undefined ? value : called(name, value)
        }),
      }))
      return { ...rest, counts: named }
    }),
    hasMore,
  }
}

function limitOf(limit: Answered, condition: string, all: readonly Count[]): Limit {
  const usage = limit.text('usage')
  const pinned = pinnedOrNone(condition)
  const amount = amountIn(usage)
  const by = limit.texts('countedBy')
  const meter = meterOf(limit)
  const same = all.filter((count) => count.meter === meter)
  const counts = same.filter(({ countedBy }) => canBeAbout(pinned, by, countedBy))
  return {
    policyId: limit.text('policyId'),
    policyName: limit.text('policyName'),
    usage,
    windowMs: Number(amountOf(limit, 'windowMs')),
    amount,
    unit: amount === undefined ? undefined : unitOfSum(amount),
    most: amountOf(limit, 'most'),
    counts: counts.toSorted((a, b) => (a.used === b.used ? 0 : a.used < b.used ? 1 : -1)),
    others: same.length - counts.length,
  }
}

/** A policy that names its values otherwise, or cannot be read here, may be about anything. */
function pinnedOrNone(condition: string): Pinned {
  return readOr(() => pinnedIn(condition), new Map())
}

function amountIn(usage: string): string | undefined {
  const amount = usageIn(usage)?.amount
  return amount && print(amount)
}

/** A meter is shared by policies that write its window as `24h` and as `1d`; its count has the text of one of them. */
function meterOf(answer: Answered): string {
  const usage = answer.text('usage')
  const tree = usageIn(usage)
  return `${tree === undefined ? usage : print({ ...tree, window: '' })} ${amountOf(answer, 'windowMs')}`
}

function usageIn(text: string): UsageTree | undefined {
  return readOr(() => {
    const tree = parse(text)
    return tree.kind === 'usage' ? tree : undefined
  }, undefined)
}

type UsageTree = Extract<Tree, { readonly kind: 'usage' }>

function readOr<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return otherwise
    throw error
  }
}

/** Some texts count together in lower case. */
function canBeAbout(pinned: Pinned, by: readonly string[], countedBy: readonly string[]): boolean {
  return by.every((expression, at) => {
    const values = pinned.get(expression)
    const counted = countedBy[at]?.toLowerCase()
    return values === undefined || values.some((value) => value.toLowerCase() === counted)
  })
}

function countOf(count: Answered): Count {
  return {
    meterId: count.text('meterId'),
    meter: meterOf(count),
    countedBy: count.texts('countedBy'),
    used: amountOf(count, 'used'),
    releases: count.list('releases').map((release) => ({
      at: release.object('at').number('seconds') * 1_000,
      amount: amountOf(release, 'amount'),
    })),
  }
}
