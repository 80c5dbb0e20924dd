import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { parseEther, parseGwei, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { COINS, isPayment } from '../../console/screens/policies/templates/coins.ts'
import {
  type Made,
  TEMPLATES,
  type Template,
  type Typed,
} from '../../console/screens/policies/templates/list.ts'
import { READ } from '../../console/screens/policies/templates/read-field.ts'
import { mistakeIn } from '../../console/screens/policies/check-terms.ts'
import { paymentChain } from '../../src/host/cli/agent/payment-chains.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { tempo } from '../../src/trusted/chains/tempo/tempo.ts'
import { TARGET_PUBLIC_KEY } from '../policy-table/organization.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../support/service.ts'

const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const THIEF = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const service: TestService = await aService()
const { root } = service
after(() => service.close())

const finance = (
  await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'finance', userIds: [] })
).userTagId
const [ada, bob, cy] = [await tagged('Ada'), await tagged('Bob'), await service.user('Cy')]
const [till, safe] = [await aWallet('Till'), await aWallet('Safe')]

async function tagged(name: string): Promise<Member> {
  const user = await service.user(name)
  const change = { userTagId: finance, addUserIds: [user.userId], removeUserIds: [] }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_TAG', change)
  return user
}

async function aWallet(walletName: string): Promise<{ readonly walletId: string; readonly address: string }> {
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [account] })
  return { walletId: made.walletId, address: made.addresses[0] }
}

const ETH = { coin: 'ethereum', amount: '1.5' } as const
let nonce = 0

function payment(signWith: string, changed: Partial<TransactionSerializableEIP1559> = {}) {
  const unsignedTransaction = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: nonce++,
    gas: 21_000n,
    maxFeePerGas: parseGwei('20'),
    maxPriorityFeePerGas: 1n,
    value: parseEther('1.5'),
    to: SHOP,
    ...changed,
  }).slice(2)
  return {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    parameters: { signWith, type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction },
  }
}

function rawBytes(signWith: string) {
  const how = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NO_OP' }
  return {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: { signWith, payload: 'ab'.repeat(32), ...how },
  }
}

const newPolicy = {
  type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
  parameters: {
    policyName: 'Another',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'EXPORT'",
    notes: '',
  },
}

function named(name: Template['name']): Template {
  return present(
    TEMPLATES.find((one) => one.name === name),
    name,
  )
}

function policiesOf(name: Template['name'], typed: Typed): readonly Made[] {
  const result = named(name).made(typed)
  assert.equal(result.kind, 'policies', JSON.stringify(result))
  return result.policies
}

/** What the service says of a request with these policies, beside those that it has. */
async function decision(
  policies: readonly object[],
  by: Member,
  request: { readonly type: string; readonly parameters: object },
  approvers: readonly Member[] = [],
): Promise<string> {
  const draft = { policies: policies.map((policy, at) => ({ policyName: `Draft ${at}`, ...policy })) }
  const approverUserIds = approvers.map(({ userId }) => userId)
  const asked = { ...request, userId: by.userId, approverUserIds, draft }
  const { status, json }: JsonAnswer = await service.query(root, 'try_activity', asked)
  assert.equal(status, 200, JSON.stringify(json))
  return json.drafted.decision
}

test('transfers: up to the amount one of the tag is enough, above it two, and nothing else is allowed', async () => {
  const made = policiesOf('transfers', { ...ETH, source: `wallet ${till.walletId}`, tagId: finance })
  const above = { value: parseEther('1.5') + 1n }
  assert.equal(await decision(made, ada, payment(till.address)), 'allow')
  assert.equal(await decision(made, ada, payment(till.address, above)), 'wait')
  assert.equal(await decision(made, ada, payment(till.address, above), [bob]), 'allow')
  // The vote of somebody without the tag is refused.
  assert.equal(await decision(made, ada, payment(till.address, above), [cy]), 'deny')
  assert.equal(await decision(made, cy, payment(till.address)), 'deny')
  for (const [what, other] of NEIGHBOURS)
    assert.equal(await decision(made, ada, payment(till.address, other), [bob]), 'deny', what)
  assert.equal(await decision(made, ada, payment(safe.address), [bob]), 'deny')
  assert.equal(await decision(made, ada, rawBytes(till.address), [bob]), 'deny')
})

test('transfers: a private key in no wallet takes the place of one, and no wallet pays by it', async () => {
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Treasury',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  const [{ privateKeyId, addresses }] = privateKeys
  const treasury = addresses[0].address
  const made = policiesOf('transfers', { ...ETH, source: `private_key ${privateKeyId}`, tagId: finance })
  assert.equal(await decision(made, ada, payment(treasury)), 'allow')
  assert.equal(await decision(made, cy, payment(treasury)), 'deny')
  assert.equal(await decision(made, ada, payment(till.address)), 'deny')
  assert.equal(await decision(made, ada, rawBytes(treasury)), 'deny')
})

/** Transactions that look like a payment of little and are another thing. */
const NEIGHBOURS: readonly (readonly [what: string, changed: Partial<TransactionSerializableEIP1559>])[] = [
  ['another chain', { chainId: 8453 }],
  ['a call', { data: '0xa9059cbb' }],
  ['a contract that is made', { to: null, data: '0x00' }],
  ['a fee for a unit of gas above the bound', { maxFeePerGas: parseGwei('200') + 1n }],
  ['more gas than a payment takes', { gas: 100_001n }],
]

test('addresses: whatever other policies allow, a wallet pays to these addresses, signs nothing else and stays', async () => {
  const anybody = { effect: 'EFFECT_ALLOW', condition: "activity.action == 'SIGN'" }
  const typed = { ...ETH, source: `wallet ${till.walletId}`, addresses: `${SHOP}\n${SHOP.toLowerCase()}` }
  const made = [anybody, ...policiesOf('addresses', typed)]
  assert.equal(await decision(made, cy, payment(till.address)), 'allow')
  assert.equal(await decision(made, cy, payment(till.address, { to: THIEF })), 'deny')
  for (const [what, other] of NEIGHBOURS)
    assert.equal(await decision(made, cy, payment(till.address, other)), 'deny', what)
  assert.equal(await decision(made, cy, rawBytes(till.address)), 'deny')
  const { unsigned } = tempo.example
  const elsewhere = { signWith: till.address, type: 'TRANSACTION_TYPE_TEMPO', unsignedTransaction: unsigned }
  const ofTempo = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters: elsewhere }
  assert.equal(await decision([anybody], cy, ofTempo), 'allow')
  assert.equal(await decision(made, cy, ofTempo), 'deny')
  // An exported wallet pays anybody.
  const exporters = { effect: 'EFFECT_ALLOW', condition: "activity.action == 'EXPORT'" }
  const exported = ({ walletId, address }: typeof till) => [
    { type: 'ACTIVITY_TYPE_EXPORT_WALLET', parameters: { walletId, targetPublicKey: TARGET_PUBLIC_KEY } },
    {
      type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
      parameters: { address, targetPublicKey: TARGET_PUBLIC_KEY },
    },
  ]
  for (const one of exported(till)) {
    assert.equal(await decision([exporters], cy, one), 'allow')
    assert.equal(await decision([exporters, ...made], cy, one), 'deny')
  }
  // Other wallets are none of its business.
  for (const one of exported(safe)) assert.equal(await decision([exporters, ...made], cy, one), 'allow')
  assert.equal(await decision(made, cy, payment(safe.address, { to: THIEF })), 'allow')
  assert.equal(await decision(made, cy, rawBytes(safe.address)), 'allow')
})

test('agent: it pays from its wallet up to the limit of a day, and nobody else does', async () => {
  const agent = await service.user('Agent')
  const typed = { ...ETH, userId: agent.userId, source: `wallet ${safe.walletId}` }
  const [made] = policiesOf('agent', typed)
  assert.equal(await decision([{ ...made }], ada, payment(safe.address)), 'deny')
  assert.equal(await decision([{ ...made }], agent, payment(till.address)), 'deny')
  assert.equal(
    await decision([{ ...made }], agent, payment(safe.address, { value: parseEther('1.6') })),
    'deny',
  )
  assert.equal(await decision([{ ...made }], agent, rawBytes(safe.address)), 'deny')
  for (const [what, other] of NEIGHBOURS)
    assert.equal(await decision([{ ...made }], agent, payment(safe.address, other)), 'deny', what)

  const policy = { policyName: 'An agent', notes: '', ...made }
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  const pays = async (value: bigint): Promise<number> => {
    const { type, parameters } = payment(safe.address, { value })
    return (await service.submit(agent, type, parameters)).status
  }
  assert.deepEqual([await pays(parseEther('1')), await pays(parseEther('0.5'))], [200, 200])
  assert.equal(await pays(1n), 403)
})

test('exports: nobody exports, whatever other policies allow', async () => {
  const anybody = { effect: 'EFFECT_ALLOW', condition: "activity.resource != ''" }
  const made = [anybody, ...policiesOf('exports', {})]
  const targetPublicKey = TARGET_PUBLIC_KEY
  const exported = {
    type: 'ACTIVITY_TYPE_EXPORT_WALLET',
    parameters: { walletId: till.walletId, targetPublicKey },
  }
  const account = {
    type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
    parameters: { address: till.address, targetPublicKey },
  }
  assert.equal(await decision([anybody], cy, exported), 'allow')
  assert.equal(await decision(made, cy, exported), 'deny')
  assert.equal(await decision(made, cy, account), 'deny')
  assert.equal(await decision(made, cy, rawBytes(till.address)), 'allow')
})

test('policyChanges: so many of the tag change policies, and fewer or others do not', async () => {
  const made = policiesOf('policyChanges', { tagId: finance, needed: '2' })
  assert.equal(await decision(made, ada, newPolicy), 'wait')
  assert.equal(await decision(made, ada, newPolicy, [bob]), 'allow')
  assert.equal(await decision(made, ada, newPolicy, [cy]), 'deny')
  assert.equal(await decision(made, cy, newPolicy), 'deny')
  const tag = { type: 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters: { userTagName: 'x', userIds: [] } }
  assert.equal(await decision(made, ada, tag, [bob]), 'deny')
  const [alone] = policiesOf('policyChanges', { tagId: finance, needed: '1' })
  assert.equal(await decision([{ ...alone }], ada, newPolicy), 'allow')
})

test('a payment is what it is for `claviger agent create`, on each chain', () => {
  for (const coin of COINS)
    assert.deepEqual(
      isPayment(coin),
      paymentChain(coin.chain).payment({ to: [], calls: false }, ''),
      coin.chain,
    )
})

test('what is typed breaks out of no text: it is refused, or the policy is as long as it says', () => {
  const ids = { source: `wallet ${till.walletId}`, tagId: finance, userId: ada.userId, needed: '2' }
  const hostile = [
    "' || true || '",
    `${till.walletId}' || 'x' == 'x`,
    `wallet ${till.walletId}' || 'x' == 'x`,
    `user ${till.walletId}`,
    "\\'",
    '\u0027',
    '\uff07',
    '1e9',
    '-1',
    '0x10',
    '١',
  ]
  const strange = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile))
  fc.assert(
    fc.property(strange, fc.constantFrom(...Object.keys(READ)), (text, field) => {
      for (const { made, fields } of TEMPLATES) {
        if (!fields.some((one) => one === field)) continue
        const result = made({ ...ETH, ...ids, addresses: SHOP, [field]: text })
        if (result.kind === 'mistakes') assert.deepEqual(Object.keys(result.mistakes), [field])
        else for (const policy of result.policies) assert.ok(isAsItIsWritten(policy), JSON.stringify(policy))
      }
    }),
    { numRuns: 2_000 },
  )
  for (const text of hostile)
    for (const field of ['source', 'userId', 'tagId', 'addresses', 'coin', 'needed'] as const)
      assert.throws(() => READ[field](text), { name: 'Mistaken' }, `${field}: ${text}`)
})

/** Nothing stands in its strings but ids, addresses, and the words of the templates. */
function isAsItIsWritten({ condition, consensus = '' }: Made): boolean {
  const strings = [...`${condition} ${consensus}`.matchAll(/'([^']*)'/g)].map(([, text = '']) => text)
  return strings.every((text) => /^([0-9a-f-]{36}|0x[0-9a-fA-F]{40}|0x|[A-Z0-9_]*|24h)$/.test(text))
}

test('every policy of every template is one that the page and the service read', () => {
  const typed = {
    ...ETH,
    source: `wallet ${till.walletId}`,
    tagId: finance,
    userId: ada.userId,
    addresses: SHOP,
    needed: '3',
  }
  for (const { name } of TEMPLATES)
    for (const { condition, consensus } of policiesOf(name, typed)) {
      assert.equal(mistakeIn('condition', condition), undefined, name)
      assert.equal(mistakeIn('consensus', consensus ?? ''), undefined, name)
    }
})

test('amounts and addresses are read exactly, or not at all', () => {
  assert.equal(READ.amount('1.5'), 15n * 10n ** 17n)
  assert.equal(READ.amount(' 0.000000000000000001 '), 1n)
  for (const [text, mistake] of [
    ['', 'nothing'],
    ['0', 'noAmount'],
    ['1,5', 'noAmount'],
    ['.5', 'noAmount'],
    ['0.0000000000000000001', 'tooManyDecimals'],
    ['9'.repeat(40), 'amountTooLarge'],
  ] as const)
    assert.throws(() => READ.amount(text), { mistake }, text)
  assert.deepEqual(READ.addresses(`${SHOP.toLowerCase()},\n ${THIEF}`), [SHOP, THIEF])
  assert.throws(() => READ.addresses(`${SHOP} 0x12`), { mistake: 'noAddress', what: '0x12' })
  const wrong = SHOP.replace('C44', 'c44')
  assert.throws(() => READ.addresses(wrong), { mistake: 'wrongChecksum', what: wrong })
})
