import type { PolicyTerms } from '../src/trusted/policy/compile-policy.ts'

/** What the first policies of a set are about. All others are about other wallets, tokens and people. */
type PolicySubject = {
  readonly userId: string
  readonly walletId: string
  readonly privateKeyTagId: string
  readonly token: string
  readonly recipient: string
}

type BenchPolicy = Pick<PolicyTerms, 'effect' | 'condition' | 'consensus'>

/**
 * Policies as an organization writes them: of each ten, five that allow what somebody may do with some wallet and five
 * that deny what nobody may. The first ten allow the user to sign with the wallet and with private keys that have the
 * tag.
 *
 * @param limit  'an account' adds a limit on what an account sends, in the place of a policy without one
 */
export function policySet(
  count: number,
  subject: PolicySubject,
  limit?: 'an account',
): readonly BenchPolicy[] {
  const policies = Array.from({ length: Math.ceil(count / 10) }, (_, group) =>
    tenPolicies(group === 0 ? subject : somebodyElse(group), group),
  ).flat()
  return limit === undefined
    ? policies.slice(0, count)
    : [ACCOUNT_LIMIT, ...policies.slice(0, FEES), ...policies.slice(FEES + 1, count)]
}

/** Never reached, so that every request is counted and none is denied. */
const ACCOUNT_LIMIT: BenchPolicy = {
  effect: 'EFFECT_DENY',
  condition: `activity.kind == 'SIGN_TRANSACTION' && usage.sum(eth.tx.value, '24h', wallet_account.address) > ${10n ** 30n}`,
}

/** Where the limit takes the place of another. */
const FEES = 9

function tenPolicies(subject: PolicySubject, group: number): readonly BenchPolicy[] {
  const { userId, walletId, privateKeyTagId, token, recipient } = subject
  const theUser = `approvers.any(u, u.id == '${userId}')`
  const recipients = `[${quoted([recipient, ...addresses(group, 4)])}]`
  return [
    {
      effect: 'EFFECT_ALLOW',
      condition:
        `activity.kind == 'SIGN_TRANSACTION' && wallet.id == '${walletId}' && eth.tx.chain_id == 1 && ` +
        `eth.tx.to == '${token}' && eth.tx.function_name == 'transfer' && ` +
        `eth.tx.contract_call_args['to'] in ${recipients} && eth.tx.contract_call_args['amount'] <= 5000000000`,
      consensus: theUser,
    },
    {
      effect: 'EFFECT_ALLOW',
      condition:
        `activity.kind == 'SIGN_TRANSACTION' && wallet.id == '${walletId}' && eth.tx.chain_id in [1, 10, 8453] && ` +
        `eth.tx.to in ${recipients} && eth.tx.value <= ${10n ** 18n}`,
      consensus: theUser,
    },
    {
      effect: 'EFFECT_ALLOW',
      condition: `activity.kind in ['SIGN_RAW_PAYLOAD', 'SIGN_RAW_PAYLOADS'] && wallet.id == '${walletId}'`,
      consensus: theUser,
    },
    {
      effect: 'EFFECT_ALLOW',
      condition: `activity.action == 'SIGN' && private_key.tags.contains('${privateKeyTagId}')`,
      consensus: theUser,
    },
    {
      effect: 'EFFECT_ALLOW',
      condition:
        `activity.kind == 'SIGN_TRANSACTION' && wallet.label == 'Treasury ${group}' && eth.tx.chain_id == 1 && ` +
        `eth.tx.value > ${10n ** 19n}`,
      consensus: `approvers.filter(u, u.tags.contains('${idOf('tag', group)}')).count() >= 2`,
    },
    {
      effect: 'EFFECT_DENY',
      condition: `activity.kind == 'SIGN_TRANSACTION' && !(eth.tx.chain_id in [1, 10, 137, 8453, 42161])`,
    },
    {
      effect: 'EFFECT_DENY',
      condition: `eth.tx.to in [${quoted(addresses(1_000 + group, 8))}]`,
    },
    {
      effect: 'EFFECT_DENY',
      condition: "eth.tx.function_signature in ['0x095ea7b3', '0x23b872dd', '0x39509351', '0xd505accf']",
    },
    {
      effect: 'EFFECT_DENY',
      condition: `activity.resource == 'WALLET' && wallet.id == '${walletId}' && activity.action in ['EXPORT', 'DELETE']`,
      consensus: "credentials.any(c, c.type == 'CREDENTIAL_TYPE_API_KEY_P256')",
    },
    {
      effect: 'EFFECT_DENY',
      condition: `wallet.id == '${walletId}' && (eth.tx.max_fee_per_gas > 500000000000 || eth.tx.gas > 5000000)`,
    },
  ]
}

function somebodyElse(group: number): PolicySubject {
  const [token = '', recipient = ''] = addresses(2_000 + group, 2)
  return {
    userId: idOf('user', group),
    walletId: idOf('wallet', group),
    privateKeyTagId: idOf('key tag', group),
    token,
    recipient,
  }
}

/** An id of nothing that exists. */
function idOf(kind: string, group: number): string {
  return `0198c5a0-7d3c-7000-8${kind.length.toString(16).padStart(3, '0')}-${String(group).padStart(12, '0')}`
}

function addresses(from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `0x${(from * 100 + at).toString(16).padStart(40, 'c')}`)
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ')
}
