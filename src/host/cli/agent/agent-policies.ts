import { printable } from '../policies/printable.ts'
import { allOf, oneOfTexts, textIn } from './expression-text.ts'
import { payerPolicies } from './payer-policies.ts'
import {
  type AgentPolicy,
  ofItsRequests,
  otherKeys,
  otherWallets,
  takesPart,
  itsRequest,
} from './policy-parts.ts'
import { type AgentIds, agentLabel, type WantedAgent } from './wanted-agent.ts'

/**
 * The policies of an agent, denials first. A denial counts regardless of other policies. No part of them can fail for
 * another user's request, because a failing DENY policy denies.
 */
export function agentPolicies(wanted: WantedAgent, ids: AgentIds): readonly AgentPolicy[] {
  const policies = [nothingElse(wanted, ids), ...ofTemplate(wanted, ids), ...stop(wanted, ids)]
  const label = agentLabel(wanted.name)
  return policies
    .map((policy) => ({ ...policy, policyName: `${label}: ${policy.policyName}` }))
    .toSorted((a, b) => Number(a.effect === 'EFFECT_ALLOW') - Number(b.effect === 'EFFECT_ALLOW'))
}

/** The kinds of activity of each template; every other kind is denied, including those of later versions. */
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
    // A voter on another user's request is among the approvers, but has not made the request.
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
      return wanted.limits === undefined ? [] : payerPolicies(wanted.limits, ids)
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
        // A kind that is compared by name grants raw signing, if the guard asks for that.
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
      condition: allOf([...itsRequest(ids, 'EXPORT_SECRETS', []), marked]),
    },
  ]
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

/** If the root quorum needs several users, one of them is enough to stop the agent. */
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
