import { type Amount, amountOf } from './amounts.ts'
import { asData, type Data } from './data.ts'
import { everyPart, type ExplainedPolicy, type Part } from './explanation.ts'

/** A limit of a policy, and how much of it is used, as the service counted for one request. */
export type Limit = {
  readonly policyId: string
  /** As the policy says it: `usage.sum(eth.tx.value, '24h', eth.tx.from)`. */
  readonly counts: Data
  readonly window: string
  readonly atMost: Amount
  /** Before the request that this was counted for. */
  readonly used: Amount
  readonly left: Amount
  /** Whether the request itself has room. */
  readonly hasRoom: boolean
}

/**
 * The limits in the condition of a policy, in the forms `usage… <= 10` and `usage… < 10`, and of one that denies
 * `usage… > 10` and `usage… >= 10`. The service counts the present request in, which is taken off again.
 */
export function limitsIn({ policyId, effect, condition }: ExplainedPolicy): readonly Limit[] {
  if (condition?.whole === undefined) return []
  return [...everyPart(condition.whole)].flatMap((part) => {
    const limit = limitOf(part, BOUNDS[effect])
    return limit === undefined ? [] : [{ policyId, ...limit }]
  })
}

/** What stands between use and bound, and how much less than the bound is the most that there may be. */
const BOUNDS = {
  EFFECT_ALLOW: new Map([
    ['<=', 0n],
    ['<', 1n],
  ]),
  EFFECT_DENY: new Map([
    ['>', 0n],
    ['>=', 1n],
  ]),
} as const

function limitOf(comparison: Part, bounds: ReadonlyMap<string, bigint>): Omit<Limit, 'policyId'> | undefined {
  const [usage, bound] = comparison.parts
  if (comparison.kind !== 'comparison' || usage?.kind !== 'usage' || bound === undefined) return undefined
  const operator = comparison.text.slice(usage.end - comparison.start, bound.start - comparison.start).trim()
  const most = numberOf(bound)
  const counted = numberOf(usage)
  const less = bounds.get(operator)
  if (most === undefined || counted === undefined || less === undefined) return undefined
  const atMost = most - less
  const used = counted - usedByRequest(usage)
  const left = atMost > used ? atMost - used : 0n
  const amount = (value: bigint): Amount =>
    amountOf(usage.text.startsWith('usage.sum') ? usage.text : '', value)
  return {
    counts: asData(usage.text),
    window: /'((?:\d+[dhm])+)'/.exec(usage.text)?.[1] ?? '',
    atMost: amount(atMost),
    used: amount(used),
    left: amount(left),
    hasRoom: counted <= atMost,
  }
}

export function numberOf({ result }: Part): bigint | undefined {
  return 'value' in result && /^-?\d{1,80}$/.test(result.value) ? BigInt(result.value) : undefined
}

/** How much a request uses of a limit: itself for a count, and for a sum the value of the amount. */
function usedByRequest(usage: Part): bigint {
  if (usage.text.startsWith('usage.count')) return 1n
  const [amount] = usage.parts
  return amount === undefined ? 0n : (numberOf(amount) ?? 0n)
}
