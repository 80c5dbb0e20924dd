import fc from 'fast-check'
import type { Controls } from '../../policy/controls.ts'
import { anyConsensus, anyPolicyTime, type WrittenPolicy } from '../../policy/testing/arbitrary-policy.ts'

/** Strings of requests, and of the policies about them: few, so that they often meet. */
export const TEXTS = ['A', 'a', 'B', 'hot', 'Hot', 'ho', '']

/** Addresses of accounts, as they are stored. */
export const ADDRESSES = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '9oQd3Ucdg3vNFKCAY7mGrhPSSsEyjTFCqpxMmFjpdFxM',
]

/** Times around which policies turn, and at which they are linted. */
export const LINTED_AT = Date.UTC(2026, 2, 29, 1)

/** The velocity controls of the organization. */
export const controls: Controls = (name) =>
  new Map([
    ['daily', "usage.count('1h') <= 2"],
    ['weekly', "usage.sum(eth.tx.value, '7d', usage.user) <= 4"],
  ]).get(name)

const numbers = fc.constantFrom('0', '1', '5', '6')
const text = fc.constantFrom(...TEXTS).map(quoted)
const order = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
const effect = fc.constantFrom<WrittenPolicy['effect'][]>('EFFECT_ALLOW', 'EFFECT_DENY')
const equality = fc.constantFrom('==', '==', '!=')

const kinds = [
  'SIGN_TRANSACTION',
  'SIGN_RAW_PAYLOAD',
  'CREATE_API_KEYS',
  'STAMP_LOGIN',
  'UPDATE_WALLET',
  'NONE',
]
const types = [
  'SIGN_TRANSACTION',
  'SIGN_TRANSACTION_V2',
  'SIGN_RAW_PAYLOAD',
  'CREATE_API_KEYS_V2',
  'OTP_LOGIN',
]

/** A condition over a few keywords, in which most findings of the lint occur sooner or later. */
const anyCondition: fc.Arbitrary<string> = fc.letrec<{ readonly condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: atoms() },
    { weight: 1, arbitrary: tie('condition').map((inner) => `!(${inner})`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom(' && ', ' && ', ' || '),
          fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
        )
        .map(([operator, parts]) => parts.map((part) => `(${part})`).join(operator)),
    },
  ),
})).condition

/** Policies to be linted together: any, such as open and close raw signing, and two that may say the same. */
export const anyLintedPolicies: fc.Arbitrary<readonly WrittenPolicy[]> = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: anyPolicy().map((policy) => [policy]) }, signing(), signing(), alike()),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((groups) => groups.flat())

function anyPolicy(): fc.Arbitrary<WrittenPolicy> {
  return fc.record({
    effect,
    condition: sometimes(anyCondition, ["eth.tx.too == 'x'", 'true', undefined]),
    consensus: sometimes(anyConsensus, ['', 'true', undefined, undefined, undefined, undefined]),
    time: sometimes(anyPolicyTime, ["CronSpan('0 0 * * *', '1h', 'Europe/Atlantis')", undefined, undefined]),
  })
}

/** An ALLOW policy and a DENY policy about what is signed, without more. */
function signing(): fc.Arbitrary<readonly WrittenPolicy[]> {
  const allowed = fc.constantFrom("activity.action == 'SIGN'", "wallet.id == 'A'", "private_key.id != 'A'")
  const denied = fc.constantFrom(
    "eth.tx.to == 'A'",
    'eth.tx.value > 1',
    "wallet.id != 'B' && eth.tx.value > 0",
  )
  return fc
    .tuple(allowed, denied)
    .map(([allow, deny]) => [only('EFFECT_ALLOW', allow), only('EFFECT_DENY', deny)])
}

/** Two policies of the same parts in another order, sometimes with another control or with one part negated. */
function alike(): fc.Arbitrary<readonly WrittenPolicy[]> {
  const part = fc.oneof(anyCondition, fc.constant('controls.daily'))
  return fc
    .tuple(effect, part, part, fc.constantFrom('daily', 'daily', 'weekly'), fc.constantFrom('', '', '!'))
    .map(([which, a, b, control, not]) => [
      only(which, `(${a}) && (${b})`),
      only(which, `${not}(${b}) && (${a})`.replaceAll('controls.daily', `controls.${control}`)),
    ])
}

function only(which: WrittenPolicy['effect'], condition: string): WrittenPolicy {
  return { effect: which, condition, consensus: undefined, time: undefined }
}

function sometimes<T>(usual: fc.Arbitrary<string>, others: readonly [T, ...T[]]): fc.Arbitrary<string | T> {
  return fc.oneof(
    { weight: 12, arbitrary: usual },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  )
}

function atoms(): fc.Arbitrary<string> {
  const path = (...paths: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...paths)
  return fc.oneof(
    { weight: 3, arbitrary: onOneOf('activity.kind', kinds) },
    onOneOf(
      'activity.type',
      types.map((type) => `ACTIVITY_TYPE_${type}`),
    ),
    onOneOf('activity.action', ['SIGN', 'CREATE', 'UPDATE']),
    onOneOf('activity.params.type', ['TRANSACTION_TYPE_ETHEREUM', 'TRANSACTION_TYPE_SOLANA']),
    path(
      'payload.opaque',
      '!payload.opaque',
      'private_key.exported',
      'controls.daily',
      'controls.weekly',
      'true',
    ),
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          path(
            'wallet.id',
            'wallet.label',
            'private_key.id',
            'eth.tx.to',
            'eth.tx.function_name',
            "eth.tx.contract_call_args['a']",
            "eth.eip_712.message['a']",
            'CaseInsensitiveString(wallet.label)',
            'CaseInsensitiveString(eth.tx.to)',
            'wallet.label[0..3]',
          ),
          equality,
          text,
        )
        .map((parts) => parts.join(' ')),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          path(
            'eth.tx.value',
            'eth.tx.max_fee_per_gas',
            'eth.tx.chain_id',
            "eth.eip_712.message['a']",
            'solana.tx.transfers.count()',
            'solana.tx.transfers[0].amount',
            "usage.count('1h')",
            "usage.sum(eth.tx.value, '7d', wallet.id)",
          ),
          order,
          numbers,
        )
        .map((parts) => parts.join(' ')),
    },
    onOneOf('wallet.id', TEXTS),
    onOneOf('wallet_account.address', [...ADDRESSES, ADDRESSES[0]?.toLowerCase() ?? '', 'A']),
    onOneOf('eth.tx.to', TEXTS),
    onOneOf('CaseInsensitiveString(wallet.label)', ['Hot', 'hot']),
    {
      weight: 2,
      arbitrary: fc
        .tuple(path("usage.count('1h')", 'eth.tx.value'), bound(), bound())
        .map(([of, a, b]) => `${of} ${a} && ${of} ${b}`),
    },
    text.map((tag) => `private_key.tags.contains(${tag})`),
    fc
      .tuple(path('any', 'all'), text, text, path('&&', '||'))
      .map(
        ([name, a, b, operator]) => `solana.tx.transfers.${name}(t, t.to == ${a} ${operator} t.to == ${b})`,
      ),
    fc
      .tuple(path('any', 'all'), path('eth.tx.function_name', 'wallet.id', 'u'), text)
      .map(([name, of, value]) => `activity.params.user_ids.${name}(u, ${of} == ${value})`),
  )
}

/** The other side of a comparison with a small number. */
function bound(): fc.Arbitrary<string> {
  return fc.tuple(order, fc.constantFrom('1', '2', '3', '4')).map((parts) => parts.join(' '))
}

/** A string that is to be one of some. */
function onOneOf(path: string, values: readonly string[]): fc.Arbitrary<string> {
  const value = fc.constantFrom(...values).map(quoted)
  return fc.oneof(
    fc.tuple(equality, value).map(([operator, literal]) => `${path} ${operator} ${literal}`),
    fc.array(value, { minLength: 1, maxLength: 2 }).map((items) => `${path} in [${items.join(', ')}]`),
  )
}

function quoted(value: string): string {
  return `'${value}'`
}
