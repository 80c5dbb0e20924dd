import type { ExplainedPart, Explanation } from '../../../trusted/policy/explain.ts'
import { tried } from '../../queries/rehearsals/try-activity.ts'
import { type Caller, ServiceError, signedQuery } from '../signed-query.ts'
import { amountText } from './amount.ts'
import { accountsOf, type StoredPolicy } from './organization.ts'
import { chainIn, type PaymentChain, paymentChain } from './payment-chains.ts'

// A transaction of type 2 that moves nothing and has no gas: it adds nothing to the counts.
const NOTHING = `02dd018080808094${'00'.repeat(20)}8080c0`

/**
 * The rest of an agent's limits, found with a rehearsed request: one line for each. Empty without daily limits, and for
 * other chains than those like Ethereum.
 */
export async function limitsLeft(
  caller: Caller,
  { userId, policies }: { readonly userId: string; readonly policies: readonly StoredPolicy[] },
): Promise<readonly string[]> {
  const text = policies.map(({ condition }) => condition).join('\n')
  const walletId = /wallet\.id == '([0-9a-f-]{36})'/.exec(text)?.[1]
  const chain = chainIn(text)
  if (walletId === undefined || chain === undefined || !text.includes('usage.sum(')) return []
  const { addressFormat } = paymentChain('ethereum').account
  const account = (await accountsOf(caller, walletId)).find((one) => one.addressFormat === addressFormat)
  if (account === undefined || chain.account.addressFormat !== addressFormat) return []
  const { transactionType: type } = chain
  const parameters = { signWith: account.address, type, unsignedTransaction: NOTHING }
  const asked = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters, userId, explain: true }
  const { judgement } = await signedQuery(caller, 'try_activity', asked, tried)
  // The vault made them, and the query passes them on unchanged.
  const explained = (judgement.explanations as readonly Explanation[]).flatMap(
    (explanation) => explanation.policies,
  )
  const own = new Set(policies.map(({ policyId }) => policyId))
  const parts = explained.flatMap(({ policyId, condition }) =>
    own.has(policyId) && condition?.whole !== undefined ? comparisons(condition.whole) : [],
  )
  return [...new Set(parts.flatMap((part) => leftOf(part, chain)))]
}

function comparisons(part: ExplainedPart): readonly ExplainedPart[] {
  return part.kind === 'comparison' ? [part] : part.parts.flatMap(comparisons)
}

// In the form of `agentPolicies`.
const LIMIT = /^usage\.sum\((.+), '24h', usage\.user\) (?:<=|>) (\d+)$/

function leftOf({ text, parts }: ExplainedPart, chain: PaymentChain): readonly string[] {
  const [, amount = '', most = ''] = LIMIT.exec(text) ?? []
  const result = parts[0]?.result
  if (amount === '' || result === undefined) return []
  if (!('value' in result) || !/^\d+$/.test(result.value))
    throw new ServiceError(`the service does not say how much of ${amount} was used`)
  const left = BigInt(most) - BigInt(result.value)
  const shown = (value: bigint) =>
    amount === chain.fees?.amount ? `${value} units of gas` : amountText(value, chain.units)
  return [`${shown(left > 0n ? left : 0n)} of ${shown(BigInt(most))} in 24 hours`]
}
