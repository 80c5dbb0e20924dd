import { hash } from 'node:crypto'
import { printable } from '../policies/printable.ts'
import { amountText } from './amount.ts'
import { allOf, oneOfTexts, textIn } from './expression-text.ts'
import type { PaymentRules } from './payment-chains.ts'
import { type AgentIds, agentLabel, type Approvers, type Limits, type WantedAgent } from './wanted-agent.ts'

/** A policy of an agent, and the plain sentence that it is. */
export type AgentPolicy = {
  readonly policyName: string
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  readonly condition?: string
  readonly consensus?: string
  readonly sentence: string
}

/**
 * The policies of an agent, denials first. A denial counts whatever any other policy allows. None of them has a part
 * that could fail for another user's request: a DENY policy that fails denies.
 */
export function agentPolicies(wanted: WantedAgent, ids: AgentIds): readonly AgentPolicy[] {
  const policies = [nothingElse(wanted, ids), ...ofTemplate(wanted, ids), ...stop(wanted, ids)]
  const label = agentLabel(wanted.name)
  return policies
    .map((policy) => ({ ...policy, policyName: `${label}: ${policy.policyName}` }))
    .toSorted((a, b) => Number(a.effect === 'EFFECT_ALLOW') - Number(b.effect === 'EFFECT_ALLOW'))
}

/** The sentence and a digest of the text that it is about, so that a sentence which is no longer true is found out. */
export function notesOf(policy: AgentPolicy): string {
  return `${policy.sentence}\n${digestOf(policy)}`
}

/** The sentence of a policy as it is stored; undefined where there is none, or the policy was changed under it. */
export function sentenceIn(stored: {
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
  readonly notes: string
}): string | undefined {
  const [sentence = '', digest, ...more] = stored.notes.split('\n')
  return digest === digestOf(stored) && more.length === 0 ? sentence : undefined
}

function digestOf(policy: {
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
}): string {
  const { effect, condition = '', consensus = '' } = policy
  return `text ${hash('sha256', JSON.stringify([effect, condition, consensus])).slice(0, 16)}`
}

/** The kinds of activity that each template is about; every other kind is denied, those of later versions among them. */
const KINDS = {
  payer: ['SIGN_TRANSACTION'],
  worker: ['SIGN_TRANSACTION', 'SIGN_RAW_PAYLOAD', 'SIGN_RAW_PAYLOADS'],
  observer: [],
  'secrets-reader': ['EXPORT_SECRETS'],
  provisioner: ['CREATE_WALLET', 'CREATE_WALLET_ACCOUNTS'],
} as const

const DOES = {
  payer: 'signs transactions',
  worker: 'signs transactions, messages and other payloads',
  observer: 'reads',
  'secrets-reader': 'reads the secrets that are marked as its own',
  provisioner: 'creates wallets and accounts',
} as const

function nothingElse({ template }: WantedAgent, { userId }: AgentIds): AgentPolicy {
  const kinds = KINDS[template]
  const exports = template === 'secrets-reader' ? 'exports no key and no wallet' : 'exports nothing'
  return {
    policyName: 'nothing else',
    effect: 'EFFECT_DENY',
    // Who votes for the request of another user is among the approvers, and has not made the request.
    ...(kinds.length === 0
      ? {}
      : { condition: `usage.user != ${textIn(userId)} || !(activity.kind in ${oneOfTexts(kinds)})` }),
    consensus: takesPart(userId),
    sentence:
      `It ${DOES[template]} and does nothing else: it makes, changes and deletes no credentials, sessions, policies, ` +
      `users, organizations or features, not its own either, ${exports}, and approves or rejects no request of anybody else.`,
  }
}

function ofTemplate(wanted: WantedAgent, ids: AgentIds): readonly AgentPolicy[] {
  switch (wanted.template) {
    case 'payer':
      return wanted.limits === undefined ? [] : payer(wanted.limits, ids)
    case 'worker':
      return worker(ids)
    case 'secrets-reader':
      return secretsReader(wanted.name, ids)
    case 'provisioner':
      return [
        may(
          'creates',
          ids,
          KINDS.provisioner,
          'It creates wallets and accounts, and signs with none of them.',
        ),
      ]
    case 'observer':
      return []
  }
}

function payer(limits: Limits, ids: AgentIds): readonly AgentPolicy[] {
  const { chain, askAbove, perTransaction, daily } = limits
  const whose = usageOf(ids, 'SIGN_TRANSACTION', [
    `activity.params.type == ${textIn(chain.transactionType)}`,
    `wallet.id == ${textIn(ids.walletId)}`,
  ])
  // What may be asked for above a limit is not denied there.
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

/** What it pays without asking anybody; undefined where it asks for every payment. */
function aloneLimits(
  { chain, perTransaction, daily, askAbove }: Limits,
  { address }: AgentIds,
): { readonly conditions: readonly string[]; readonly text: string } | undefined {
  const most = perTransaction ?? daily
  if (most === undefined) return undefined
  const amount = chain.amount(address)
  const inDay = (what: string) => `usage.sum(${what}, '24h', usage.user)`
  // What was approved above the limit for one payment does not use up the day (docs/policy-language.md, two tiers).
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

/** The limit of a day as a denial, so that no other policy goes beyond it, where its amount has a value for every request. */
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

function worker(ids: AgentIds): readonly AgentPolicy[] {
  const { userId, walletId } = ids
  return [
    otherWallets(ids, '', ''),
    otherKeys(ids),
    {
      policyName: 'signs',
      effect: 'EFFECT_ALLOW',
      condition: allOf([
        `usage.user == ${textIn(userId)}`,
        // A kind that is compared by name grants raw signing where the guard asks for that.
        `activity.kind in ${oneOfTexts(KINDS.worker)}`,
        `wallet.id == ${textIn(walletId)}`,
      ]),
      consensus: takesPart(userId),
      sentence: 'It signs anything with its wallet, digests too: everything in this wallet is in its hands.',
    },
  ]
}

function secretsReader(name: string, ids: AgentIds): readonly AgentPolicy[] {
  const marked = `secret.static_properties['agent'] == ${textIn(name)}`
  return [
    {
      policyName: 'no other secrets',
      effect: 'EFFECT_DENY',
      condition: ofItsRequests(ids.userId, `!(${marked})`),
      sentence: `It reads no secret without the static property agent = ${name}.`,
    },
    {
      ...may(
        'reads',
        ids,
        KINDS['secrets-reader'],
        `It reads the secrets with the static property agent = ${name}.`,
      ),
      condition: allOf([...usageOf(ids, 'EXPORT_SECRETS', []), marked]),
    },
  ]
}

function otherWallets({ userId, walletId }: AgentIds, or: string, and: string): AgentPolicy {
  return {
    policyName: 'no other wallet',
    effect: 'EFFECT_DENY',
    condition: ofItsRequests(userId, `wallet.id != ${textIn(walletId)}${or}`),
    sentence: `It signs with no wallet but its own (${walletId})${and}.`,
  }
}

function otherKeys({ userId }: AgentIds): AgentPolicy {
  return {
    policyName: 'no private key',
    effect: 'EFFECT_DENY',
    condition: ofItsRequests(userId, "private_key.id != ''"),
    sentence: 'It signs with no private key outside its wallet.',
  }
}

function may(policyName: string, ids: AgentIds, kinds: readonly string[], sentence: string): AgentPolicy {
  return {
    policyName,
    effect: 'EFFECT_ALLOW',
    condition: allOf([`usage.user == ${textIn(ids.userId)}`, `activity.kind in ${oneOfTexts(kinds)}`]),
    consensus: takesPart(ids.userId),
    sentence,
  }
}

/** Where the root quorum takes several users, one of them is enough to stop the agent. */
function stop({ stoppers }: WantedAgent, { userId }: AgentIds): readonly AgentPolicy[] {
  if (stoppers.length === 0) return []
  return [
    {
      policyName: 'may be stopped',
      effect: 'EFFECT_ALLOW',
      condition: `activity.kind == 'DELETE_USERS' && activity.params.user_ids.all(u, u == ${textIn(userId)})`,
      consensus: `approvers.any(p, p.id in ${oneOfTexts(stoppers.map((user) => user.userId))})`,
      sentence: `Each of these may revoke it alone: ${stoppers.map((user) => printable(user.userName)).join(', ')}.`,
    },
  ]
}

function usageOf({ userId }: AgentIds, kind: string, more: readonly string[]): readonly string[] {
  return [`usage.user == ${textIn(userId)}`, `activity.kind == ${textIn(kind)}`, ...more]
}

/** Of every other user's request the list is empty, and what is asked of its items is not evaluated: it cannot fail. */
function ofItsRequests(userId: string, expression: string): string {
  return `[usage.user].filter(u, u == ${textIn(userId)}).any(u, ${expression})`
}

function takesPart(userId: string): string {
  return `approvers.any(p, p.id == ${textIn(userId)})`
}

/** What no policy of the agent sees or limits. */
export function unseenBy({ template, limits }: WantedAgent): readonly string[] {
  const reads =
    'What it reads: every user of an organization may read its users, policies, activities and addresses.'
  switch (template) {
    case 'payer':
      return [...unseenByPayer(limits), reads]
    case 'worker':
      return [
        'What a message, typed data (EIP-712) or a digest means, and what it moves: there is no limit.',
        'A digest may be a transaction, a permit over tokens, or an authorization that hands the account to a contract (EIP-7702).',
        reads,
      ]
    case 'secrets-reader':
      return ['What it does with a secret once it has read it.', reads]
    case 'provisioner':
      return ['The names of the wallets that it creates; each begins empty.', reads]
    case 'observer':
      return [reads]
  }
}

function unseenByPayer(limits: Limits | undefined): readonly string[] {
  if (limits === undefined) return []
  const { chain, calls, to, daily, perTransaction, askAbove } = limits
  return [
    ...chain.unseen,
    ...(calls
      ? [
          'What a contract does with a call, such as a router that pays somebody else.',
          `Tokens: amounts are limited in ${amountText(1n, chain.units).split(' ')[1] ?? ''}, and a call may move any amount of a token, or approve that others move it.`,
        ]
      : []),
    ...(to.length === 0 ? ['To whom it pays: any address is allowed (--to names those that are).'] : []),
    ...(daily === undefined && perTransaction !== undefined
      ? ['How much all payments come to: there is no limit for a day (--daily).']
      : []),
    ...(askAbove === undefined
      ? []
      : [
          'Whether a payment within the limit of one transaction was approved: it counts towards the day all the same.',
        ]),
  ]
}
