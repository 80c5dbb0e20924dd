import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import { serializeTransaction } from 'viem'
import { abstractRequestsOf } from '../../../trusted/activities/abstract-requests.ts'
import { activities } from '../../../trusted/activities/list.ts'
import { present } from '../../../trusted/base/assert.ts'
import { fromHex } from '../../../trusted/base/bytes.ts'
import type { JsonObject } from '../../../trusted/base/strict-json.ts'
import { ethereumAddress } from '../../../trusted/chains/ethereum-address.ts'
import { addInput, hexOf, keyOf, paymentTo, testKey } from '../../../trusted/chains/bitcoin/testing/psbt.ts'
import { policyVocabulary } from '../../../trusted/catalogue/vocabulary.ts'
import { SECRET } from '../../../trusted/chains/ethereum/testing/transactions.ts'
import { chains } from '../../../trusted/chains/list.ts'
import { curves } from '../../../trusted/crypto/curves.ts'
import { lintPolicies } from '../../../trusted/policy/lint.ts'
import { runPolicyTest } from '../../../trusted/policy/policy-tests.ts'
import { policiesIn } from '../policies/policies-in.ts'
import { testFileShape } from '../policies/test-file.ts'
import { testsOf } from '../policies/tests-of.ts'
import { agentPolicies } from './agent-policies.ts'
import { amountIn } from './amount.ts'
import { paymentChain } from './payment-chains.ts'
import { notesOf, sentenceIn } from './policy-notes.ts'
import { type Limits, TEMPLATES, type WantedAgent } from './wanted-agent.ts'

const AGENT = '0198c5a0-7d3c-7000-8000-00000000000a'
const ADA = '0198c5a0-7d3c-7000-8000-000000000001'
const BOB = '0198c5a0-7d3c-7000-8000-000000000002'
const WALLET = '0198c5a0-7d3c-7000-8000-0000000000b1'
const OTHER_WALLET = '0198c5a0-7d3c-7000-8000-0000000000b2'
const PRIVATE_KEY = '0198c5a0-7d3c-7000-8000-0000000000c1'
const SECRETS = {
  own: '0198c5a0-7d3c-7000-8000-0000000000d1',
  foreign: '0198c5a0-7d3c-7000-8000-0000000000d2',
  unmarked: '0198c5a0-7d3c-7000-8000-0000000000d3',
}
const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const THIEF = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ETH = 10n ** 18n

const secp256k1 = curves.CURVE_SECP256K1.publicKeyOf(SECRET)
const otherKey = curves.CURVE_SECP256K1.publicKeyOf(new Uint8Array(32).fill(3))
const otherAddress = ethereumAddress(present(fromHex(otherKey), 'a key'))
const account = (publicKey: string, addressFormat: string) => ({
  curve: addressFormat === 'ADDRESS_FORMAT_SOLANA' ? 'CURVE_ED25519' : 'CURVE_SECP256K1',
  publicKey,
  addressFormat,
})
const organization = {
  users: [
    { userId: AGENT, userName: 'agent shopper' },
    { userId: ADA, userName: 'Ada' },
    { userId: BOB, userName: 'Bob' },
  ],
  privateKeys: [
    {
      privateKeyId: PRIVATE_KEY,
      curve: 'CURVE_SECP256K1',
      publicKey: otherKey,
      addressFormats: [],
    },
  ],
  wallets: [
    {
      walletId: WALLET,
      walletName: 'agent shopper',
      accounts: [
        account(secp256k1, 'ADDRESS_FORMAT_ETHEREUM'),
        account(secp256k1, 'ADDRESS_FORMAT_TRON'),
        account(secp256k1, 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH'),
        account(curves.CURVE_ED25519.publicKeyOf(SECRET), 'ADDRESS_FORMAT_SOLANA'),
      ],
    },
    { walletId: OTHER_WALLET, accounts: [account(otherKey, 'ADDRESS_FORMAT_ETHEREUM')] },
  ],
  secrets: [
    { secretId: SECRETS.own, staticProperties: [{ key: 'agent', value: 'shopper' }] },
    { secretId: SECRETS.foreign, staticProperties: [{ key: 'agent', value: 'painter' }] },
    { secretId: SECRETS.unmarked, staticProperties: [] },
  ],
}

const ethereum = paymentChain('ethereum')

function anAgent(template: WantedAgent['template'], limits: Partial<Limits> = {}): WantedAgent {
  const payer = { chain: ethereum, to: [SHOP], calls: false, ...limits }
  return { name: 'shopper', template, stoppers: [], ...(template === 'payer' ? { limits: payer } : {}) }
}

const PAYER = anAgent('payer', {
  daily: amountIn('0.5eth', ethereum.units, ''),
  perTransaction: amountIn('0.1eth', ethereum.units, ''),
})
const asking = (more: Partial<Limits> = {}): WantedAgent =>
  anAgent('payer', { ...PAYER.limits, askAbove: { userIds: [ADA], needed: 1, text: 'Ada' }, ...more })

/** Everybody may do everything, by a policy of somebody careless. */
const CARELESS = { policyName: 'Careless', effect: 'EFFECT_ALLOW' }

/** As it is stored: the sentence stands in the notes. */
function withoutSentence(policy: ReturnType<typeof agentPolicies>[number]) {
  const { sentence: _, ...terms } = policy
  return terms
}

type Asked = {
  readonly type: string
  readonly parameters: object
  readonly by?: string
  readonly approvals?: readonly string[]
  readonly usage?: readonly {
    readonly of: string
    readonly amount: string
    readonly by?: readonly string[]
  }[]
}

/** What the agent's policies say, alone or beside others. */
function decided(
  wanted: WantedAgent,
  asked: Asked,
  others: readonly JsonObject[] = [],
  at: object = organization,
): string {
  const { type, parameters, by = AGENT, approvals = [], usage = [] } = asked
  const address = present(
    chains.find(
      ({ transaction }) => transaction?.type === (wanted.limits?.chain ?? ethereum).transactionType,
    ),
    'the chain',
  ).example.signWith
  const policies = agentPolicies(wanted, { userId: AGENT, walletId: WALLET, address }).map(withoutSentence)
  const item = { name: 'it', by, approvals, request: { type, parameters }, usage, expect: 'none' }
  const file = testFileShape.read({ policies: [], organization: at, cases: [item] }, '', 'strict')
  const [policyTest] = testsOf(file, policiesIn([...policies, ...others], 'policies'), 0)
  return runPolicyTest(present(policyTest, 'a test')).decision
}

const EIP1559 = {
  type: 'eip1559',
  chainId: 1,
  nonce: 0,
  gas: 21_000n,
  maxFeePerGas: 10n ** 10n,
  maxPriorityFeePerGas: 1n,
} as const

function payment(changes: object = {}, signWith = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'): Asked {
  // Each test says what differs from a plain payment; viem refuses what is no transaction.
  const transaction = { ...EIP1559, to: SHOP, value: ETH / 20n, ...changes } as Parameters<
    typeof serializeTransaction
  >[0]
  return signing({
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: serializeTransaction(transaction),
    signWith,
  })
}

function signing(parameters: object): Asked {
  return { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters }
}

const spent = (amount: bigint, of = "usage.sum(eth.tx.value, '24h', usage.user)") => ({
  usage: [{ of, amount: String(amount), by: [AGENT] }],
})

test('a payer pays alone within its limits, to the last wei, and not above them', () => {
  assert.equal(decided(PAYER, payment()), 'allow')
  assert.equal(decided(PAYER, payment({ value: ETH / 10n })), 'allow')
  assert.equal(decided(PAYER, payment({ value: ETH / 10n + 1n })), 'deny')
  assert.equal(decided(PAYER, { ...payment(), ...spent((ETH * 9n) / 20n) }), 'allow')
  assert.equal(decided(PAYER, { ...payment(), ...spent((ETH * 9n) / 20n + 1n) }), 'deny')
  assert.equal(decided(PAYER, { ...payment({ value: 0n }), ...spent(ETH / 2n) }), 'allow')
  const gas = "usage.sum(eth.tx.gas, '24h', usage.user)"
  assert.equal(decided(PAYER, { ...payment(), ...spent(2_500_000n - 21_000n, gas) }), 'allow')
  assert.equal(decided(PAYER, { ...payment(), ...spent(2_500_000n - 20_999n, gas) }), 'deny')
})

test('a payer who asks above its limits waits there for the person named, and for nobody else', () => {
  const wanted = asking()
  const large = payment({ value: ETH })
  assert.equal(decided(wanted, payment()), 'allow')
  assert.equal(decided(wanted, large), 'consensus')
  assert.equal(decided(wanted, { ...large, approvals: ['Bob'] }), 'none')
  assert.equal(decided(wanted, { ...large, approvals: ['Ada'] }), 'allow')
  const small = "usage.sum([eth.tx.value, 0].filter(v, v <= 100000000000000000)[0], '24h', usage.user)"
  assert.equal(decided(wanted, { ...payment(), ...spent((ETH * 9n) / 20n, small) }), 'allow')
  assert.equal(decided(wanted, { ...payment(), ...spent((ETH * 9n) / 20n + 1n, small) }), 'consensus')
  assert.equal(decided(wanted, { ...large, by: 'Bob', approvals: ['Ada'] }), 'none')
  const two = asking({ askAbove: { userIds: [ADA, BOB], needed: 2, text: '2 of Ada, Bob' } })
  assert.equal(decided(two, { ...large, approvals: ['Ada'] }), 'consensus')
  assert.equal(decided(two, { ...large, approvals: ['Ada', 'Bob'] }), 'allow')
  const { daily: _, perTransaction: __, ...limits } = present(asking().limits, 'limits')
  assert.equal(decided({ ...asking(), limits }, payment({ value: 1n })), 'consensus')
})

/** Transactions that no payer signs, with any approval. */
const WITHOUT: readonly (readonly [string, Asked])[] = [
  ['another address', payment({ to: THIEF })],
  ['a contract call', payment({ data: '0xa9059cbb' })],
  ['the creation of a contract', payment({ to: undefined, data: '0x60' })],
  ['the creation of a contract without code', payment({ to: undefined })],
  ['another chain', payment({ chainId: 10 })],
  [
    'a transaction for every chain',
    payment({
      type: 'legacy',
      chainId: undefined,
      gasPrice: 1n,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
    }),
  ],
  ['a dear price for gas', payment({ maxFeePerGas: 200n * 10n ** 9n + 1n })],
  ['much gas', payment({ gas: 100_001n })],
  [
    'an authorization (EIP-7702) in a transaction',
    payment({
      type: 'eip7702',
      authorizationList: [
        {
          address: THIEF,
          chainId: 1,
          nonce: 0,
          r: `0x${'11'.repeat(32)}`,
          s: `0x${'11'.repeat(32)}`,
          yParity: 0,
        },
      ],
    }),
  ],
  ['another wallet', payment({}, otherAddress)],
  ['a private key', payment({}, PRIVATE_KEY)],
]

test('no policy of anybody else gives a payer more than its denials leave, and no person does', () => {
  for (const [what, asked] of WITHOUT) {
    for (const wanted of [PAYER, asking()]) {
      assert.equal(decided(wanted, asked, [CARELESS]), 'deny', what)
      assert.equal(decided(wanted, { ...asked, approvals: ['Ada', 'Bob'] }, [CARELESS]), 'deny', what)
    }
  }
  assert.equal(decided(PAYER, payment({ value: ETH }), [CARELESS]), 'deny')
  assert.equal(decided(PAYER, { ...payment(), ...spent(ETH / 2n) }, [CARELESS]), 'deny')
})

test('the case of an address in --to is of no account', () => {
  for (const address of [SHOP.toLowerCase(), `0x${SHOP.slice(2).toUpperCase()}`, SHOP]) {
    const wanted = anAgent('payer', { ...PAYER.limits, to: [present(ethereum.address(address), address)] })
    assert.equal(decided(wanted, payment()), 'allow')
  }
  assert.equal(ethereum.address(SHOP.replace('C', 'c')), undefined, 'a checksum that is wrong')
})

test('a payer who may call contracts calls those that are named and no others', () => {
  const wanted = anAgent('payer', { ...PAYER.limits, calls: true })
  assert.equal(decided(wanted, payment({ data: '0xa9059cbb', gas: 200_000n })), 'allow')
  assert.equal(decided(wanted, payment({ data: '0xa9059cbb', to: THIEF })), 'deny')
  assert.equal(decided(wanted, payment({ data: '0x60', to: undefined })), 'deny')
})

test('a payer on Bitcoin spends one coin at a time, since false amounts of several would hide a fee', () => {
  const key = keyOf(SECRET)
  const [own, shop] = [paymentTo('wpkh', key, key), paymentTo('wpkh', testKey(2), key)]
  /** Of coins that are worth as much as they say, less a fee of 500. */
  const paying = (coins: readonly bigint[]) => {
    const transaction = new btc.Transaction()
    coins.forEach((value, index) => addInput(transaction, { payment: own, value }, index))
    transaction.addOutput({ script: shop.script, amount: 300n })
    transaction.addOutput({ script: own.script, amount: coins.reduce((sum, coin) => sum + coin, 0n) - 800n })
    const { type } = present(chains.find(({ name }) => name === 'Bitcoin')?.transaction, 'is read')
    return signing({ type, unsignedTransaction: hexOf(transaction), signWith: own.address })
  }
  const payer = anAgent('payer', { chain: paymentChain('bitcoin'), perTransaction: 300n, to: [] })
  assert.equal(decided(payer, paying([100_000n])), 'allow')
  // With its other half, whose other coin is worth nothing, it would be a payment of 100,500 to miners.
  assert.equal(decided(payer, paying([100_000n, 0n]), [CARELESS]), 'deny')
})

for (const chain of chains) {
  const { example, transaction, name } = chain
  if (transaction === undefined) continue
  const own = ['ethereum', 'solana', 'tron', 'bitcoin']
    .map(paymentChain)
    .find((known) => known.transactionType === transaction.type)
  const asked = signing({
    type: transaction.type,
    unsignedTransaction: example.unsigned,
    signWith: example.signWith,
  })

  test(`a transaction of ${name} is signed by a payer of that chain within its limits, and by no other payer`, () => {
    const many = { daily: 10_000n, perTransaction: 10_000n, to: [] }
    for (const other of ['ethereum', 'sepolia', 'solana', 'tron', 'bitcoin'].map(paymentChain)) {
      const wanted = anAgent('payer', { ...many, chain: other })
      assert.equal(decided(wanted, asked, [CARELESS]), other === own ? 'allow' : 'deny', other.name)
      assert.equal(decided(wanted, asked), other === own ? 'allow' : 'deny', other.name)
    }
    if (own === undefined) return
    const few = anAgent('payer', { chain: own, perTransaction: 4n, to: [] })
    assert.equal(decided(few, asked, [CARELESS]), 'deny')
    const elsewhere = own.name === 'ethereum' ? THIEF : example.signWith
    assert.equal(
      decided(anAgent('payer', { ...many, chain: own, to: [elsewhere] }), asked, [CARELESS]),
      'deny',
    )
    const amount = own.amount(example.signWith)
    const used = spent(10_000n, `usage.sum(${amount}, '24h', usage.user)`)
    assert.notEqual(decided(anAgent('payer', { ...many, chain: own }), { ...asked, ...used }), 'allow')
    const asks = anAgent('payer', {
      chain: own,
      perTransaction: 4n,
      to: [],
      askAbove: { userIds: [ADA], needed: 1, text: 'Ada' },
    })
    assert.equal(decided(asks, asked), 'consensus')
    assert.equal(decided(asks, { ...asked, approvals: ['Ada'] }), 'allow')
  })
}

const raw = (
  payload: string,
  encoding = 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction = 'HASH_FUNCTION_NO_OP',
): Asked => ({
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: { signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', payload, encoding, hashFunction },
})

test('only a worker signs raw payloads, and with its own wallet alone', () => {
  const digest = raw('11'.repeat(32))
  for (const template of TEMPLATES) {
    const wanted = template === 'payer' ? PAYER : anAgent(template)
    assert.equal(decided(wanted, digest, [CARELESS]), template === 'worker' ? 'allow' : 'deny', template)
  }
  const worker = anAgent('worker')
  const guarded = { ...organization, features: ['FEATURE_NAME_RAW_SIGNING_GUARD'] }
  assert.equal(decided(worker, digest, [], guarded), 'allow', 'it is granted by name')
  assert.equal(decided(worker, digest), 'allow')
  assert.equal(decided(worker, payment({ to: THIEF, value: ETH })), 'allow')
  for (const signWith of [PRIVATE_KEY, otherAddress])
    assert.equal(decided(worker, payment({}, signWith), [CARELESS]), 'deny', signWith)
})

test('a person who may stop an agent alone deletes its user, and nobody else beside it', () => {
  for (const template of TEMPLATES) {
    const wanted = { ...anAgent(template), stoppers: [{ userId: ADA, userName: 'Ada' }] }
    const deleting = (by: string, ...userIds: readonly string[]): string =>
      decided(wanted, { type: 'ACTIVITY_TYPE_DELETE_USERS', parameters: { userIds }, by })
    assert.equal(deleting('Ada', AGENT), 'allow', template)
    assert.equal(deleting('Bob', AGENT), 'none', template)
    for (const others of [[BOB], [AGENT, BOB], [BOB, AGENT]])
      assert.equal(deleting('Ada', ...others), 'none', template)
  }
})

test('a reader of secrets reads those that are marked as its own', () => {
  const wanted = anAgent('secrets-reader')
  const reading = (...ids: readonly string[]): Asked => ({
    type: 'ACTIVITY_TYPE_EXPORT_SECRETS',
    parameters: {
      secrets: ids.map((secretId) => ({
        secretId,
        targetPublicKey: otherTarget,
        encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1',
      })),
    },
  })
  assert.equal(decided(wanted, reading(SECRETS.own)), 'allow')
  for (const ids of [[SECRETS.foreign], [SECRETS.unmarked], [SECRETS.own, SECRETS.foreign]])
    assert.equal(decided(wanted, reading(...ids), [CARELESS]), 'deny', ids.join())
  assert.equal(
    decided(wanted, { ...reading(SECRETS.unmarked), by: 'Ada' }, [CARELESS]),
    'allow',
    'others are not denied anything',
  )
})

const otherTarget =
  '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2'

test('no policy of an agent denies anything to anybody else', () => {
  for (const template of TEMPLATES) {
    const wanted = template === 'payer' ? PAYER : anAgent(template)
    for (const asked of [...WITHOUT.map(([, each]) => each), payment({ value: ETH }), raw('11'.repeat(32))])
      assert.equal(decided(wanted, { ...asked, by: 'Bob' }, [CARELESS]), 'allow', template)
    // Once the agent has voted for it, it is denied.
    assert.equal(
      decided(wanted, { ...payment(), by: 'Bob', approvals: ['agent shopper'] }, [CARELESS]),
      'deny',
      template,
    )
  }
  for (const chain of ['solana', 'tron', 'bitcoin'].map(paymentChain)) {
    const wanted = anAgent('payer', { chain, daily: 5n, perTransaction: 5n, to: [] })
    for (const { example, transaction } of chains)
      if (transaction !== undefined)
        assert.equal(
          decided(
            wanted,
            {
              ...signing({
                type: transaction.type,
                unsignedTransaction: example.unsigned,
                signWith: example.signWith,
              }),
              by: 'Bob',
            },
            [CARELESS],
          ),
          'allow',
        )
  }
})

test('the lint has nothing to say of any template', () => {
  const vocabulary = policyVocabulary(activities)
  const abstractRequests = abstractRequestsOf(activities)
  const wanted = [
    PAYER,
    asking(),
    anAgent('payer', { ...PAYER.limits, calls: true, to: [] }),
    ...['solana', 'tron', 'bitcoin'].map((name) =>
      anAgent('payer', { chain: paymentChain(name), daily: 5n, to: [] }),
    ),
    ...TEMPLATES.filter((template) => template !== 'payer').map((template) => anAgent(template)),
  ].map((agent) => ({ ...agent, stoppers: [{ userId: ADA, userName: 'Ada' }] }))
  for (const agent of wanted) {
    const policies = agentPolicies(agent, { userId: AGENT, walletId: WALLET, address: 'bc1qown' }).map(
      (policy) => ({ ...withoutSentence(policy), policyId: policy.policyName }),
    )
    assert.deepEqual(
      lintPolicies(policies, { vocabulary, abstractRequests, now: 0, rawSigningGuard: true }).filter(
        ({ severity }) => severity !== 'note',
      ),
      [],
      agent.template,
    )
  }
})

test('the sentence of a policy is told only as long as the policy says what it was written about', () => {
  for (const policy of agentPolicies(PAYER, { userId: AGENT, walletId: WALLET, address: SHOP })) {
    const stored = { ...policy, notes: notesOf(policy) }
    assert.equal(sentenceIn(stored), policy.sentence)
    assert.equal(sentenceIn({ ...stored, condition: `${policy.condition} || true` }), undefined)
    assert.equal(sentenceIn({ ...stored, effect: 'EFFECT_ALLOW', consensus: 'true' }), undefined)
    assert.equal(sentenceIn({ ...stored, notes: policy.sentence }), undefined)
    assert.equal(sentenceIn({ ...stored, time: "Timestamp('2100-01-01T00:00:00Z') < now" }), undefined)
  }
})

test('what stands in a policy cannot end the text that it stands in', () => {
  assert.throws(
    () => agentPolicies(PAYER, { userId: "x' || true || '", walletId: WALLET, address: '' }),
    /cannot stand in a policy/,
  )
})
