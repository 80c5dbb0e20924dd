import { amountText } from './amount.ts'
import { allOf, oneOfTexts, textIn } from './expression-text.ts'
import type { PaymentRules } from './payment-chains.ts'
import {
  type AgentPolicy,
  ofItsRequests,
  otherKeys,
  otherWallets,
  takesPart,
  itsRequest,
} from './policy-parts.ts'
import type { AgentIds, Approvers, Limits } from './wanted-agent.ts'

/** It pays from one wallet on one chain, to the named addresses, within limits, and may ask for payments above them. */
export function payerPolicies(limits: Limits, ids: AgentIds): readonly AgentPolicy[] {
  const { chain, askAbove, perTransaction, daily } = limits
  const whose = itsRequest(ids, 'SIGN_TRANSACTION', [
    `activity.params.type == ${textIn(chain.transactionType)}`,
    `wallet.id == ${textIn(ids.walletId)}`,
  ])
  // Payments that may be asked for above a limit are not denied there.
  const most = askAbove === undefined ? (perTransaction ?? daily) : undefined
  const rules: PaymentRules = { ...limits, ...(most === undefined ? {} : { most }) }
  const payment = chain.payment(rules, ids.address)
  const alone = aloneLimits(limits, ids)
  return [
    otherWallets(
      ids,
      ` || activity.params.type != ${textIn(chain.transactionType)}`,
      `, and only for ${chain.title}`,
    ),
    otherKeys(ids),
    onlyPayments(payment, rules, limits, ids),
    ...(askAbove === undefined ? deniedAbove(limits, ids) : []),
    ...(alone === undefined
      ? []
      : [
          {
            policyName: 'pays alone',
            effect: 'EFFECT_ALLOW' as const,
            condition: allOf([...whose, ...payment, ...alone.conditions]),
            consensus: takesPart(ids.userId),
            sentence: `It pays alone ${alone.text}.`,
          },
        ]),
    ...(askAbove === undefined ? [] : [asksAbove(askAbove, [...whose, ...payment], ids)]),
  ]
}

/** The payments without approval; undefined if every payment needs approval. */
function aloneLimits(
  { chain, perTransaction, daily, askAbove }: Limits,
  { address }: AgentIds,
): { readonly conditions: readonly string[]; readonly text: string } | undefined {
  const most = perTransaction ?? daily
  if (most === undefined) return undefined
  const amount = chain.amount(address)
  const inDay = (what: string) => `usage.sum(${what}, '24h', usage.user)`
  // Payments approved above the single limit do not use up the daily limit (docs/policy-language.md, two tiers).
  const small = `[${amount}, 0].filter(v, v <= ${most})[0]`
  const shown = (value: bigint) => amountText(value, chain.units)
  const fees = daily === undefined ? undefined : chain.fees
  const feesMost = fees?.most(daily ?? 0n) ?? 0n
  return {
    conditions: [
      `${amount} <= ${most}`,
      ...(daily === undefined ? [] : [`${inDay(askAbove === undefined ? amount : small)} <= ${daily}`]),
      ...(fees === undefined ? [] : [`${inDay(fees.amount)} <= ${feesMost}`]),
    ],
    text: [
      `up to ${shown(most)} in one transaction`,
      ...(daily === undefined ? [] : [`up to ${shown(daily)} in 24 hours`]),
      ...(fees === undefined ? [] : [fees.text(feesMost)]),
    ].join(', '),
  }
}

/** The daily limit as a denial, so that no other policy can exceed it, if its amount has a value for every request. */
function deniedAbove({ chain, daily }: Limits, ids: AgentIds): readonly AgentPolicy[] {
  if (daily === undefined || chain.amount(ids.address) !== 'eth.tx.value') return []
  const feesMost = chain.fees?.most(daily) ?? 0n
  const sums = [
    `usage.sum(eth.tx.value, '24h', usage.user) > ${daily}`,
    `usage.sum(eth.tx.gas, '24h', usage.user) > ${feesMost}`,
  ]
  return [
    {
      policyName: 'no more in a day',
      effect: 'EFFECT_DENY',
      condition: `usage.user == ${textIn(ids.userId)} && (${sums.join(' || ')})`,
      sentence:
        `It pays no more than ${amountText(daily, chain.units)} in any 24 hours, and besides no more than ` +
        `${chain.fees?.text(feesMost) ?? ''}, whatever another policy allows.`,
    },
  ]
}

function onlyPayments(
  payment: readonly string[],
  rules: PaymentRules,
  { chain }: Limits,
  { userId }: AgentIds,
): AgentPolicy {
  const where = rules.to.length === 0 ? 'any address' : rules.to.join(', ')
  const most = rules.most === undefined ? '' : `, at most ${amountText(rules.most, chain.units)} in each`
  return {
    policyName: 'only such payments',
    effect: 'EFFECT_DENY',
    condition: ofItsRequests(userId, `!(${allOf(payment)})`),
    sentence: `It signs payments on ${chain.title} to ${where} and no other transaction${most}: ${chain.paymentText(rules)}.`,
  }
}

function asksAbove(
  { userIds, needed, text }: Approvers,
  condition: readonly string[],
  ids: AgentIds,
): AgentPolicy {
  const people =
    needed === 1
      ? `approvers.any(p, p.id in ${oneOfTexts(userIds)})`
      : `approvers.filter(p, p.id in ${oneOfTexts(userIds)}).count() >= ${needed}`
  return {
    policyName: 'asks above',
    effect: 'EFFECT_ALLOW',
    condition: allOf(condition),
    consensus: `${takesPart(ids.userId)} && ${people}`,
    sentence: `Such a payment above what it pays alone waits until ${text} approves it.`,
  }
}
