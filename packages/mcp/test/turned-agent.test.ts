import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { parseTransaction, type TransactionSerialized } from 'viem'
import { payment } from './payments.ts'
import { aCreatedAgent, aSetting, ETHER, type Setting } from './setting.ts'

// An agent that has turned against its owner: it has every tool, and its key, with which it asks the service itself.
const byHand = await aSetting()
const created = await aCreatedAgent()
after(() => byHand.close())
after(() => created.close())

const THIEF = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const NOWHERE = '0x0000000000000000000000000000000000000000'

suite('with policies written by hand', () => turned(byHand))
suite('with the policies of `claviger agent create`', () => turned(created))

function turned({ call, service, agent, pat, ethereum, other, friends, walletId }: Setting): void {
  let nonces = 0
  const unsigned = (value: bigint, to: string, chainId = 1) =>
    payment({ value, to, nonce: nonces++, chainId })
  const pays = (value: bigint, to: string, signWith = ethereum) =>
    call('sign_transaction', { chain: 'ethereum', signWith, unsignedTransaction: unsigned(value, to) })

  /** All that was signed, as the records of the service have it. */
  async function everythingSigned(): Promise<readonly { readonly to: string; readonly value: bigint }[]> {
    const { json } = await service.query(service.root, 'list_activities', {
      filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
      filterByType: ['ACTIVITY_TYPE_SIGN_TRANSACTION_V2'],
      paginationOptions: { limit: '100' },
    })
    assert.ok(json.activities.length < 100)
    return json.activities.map(
      (activity: { result: { signTransactionResult: { signedTransaction: string } } }) => {
        const { signedTransaction } = activity.result.signTransactionResult
        // A signed transaction of this type begins with 02.
        const { to, value } = parseTransaction(`0x${signedTransaction}` as TransactionSerialized)
        return { to: String(to), value: value ?? 0n }
      },
    )
  }

  test('by tools it signs no more than a half a day, a tenth at once, to friends, whatever it tries', async () => {
    for (const value of [ETHER, ETHER / 10n + 1n, ETHER / 10n, 2n ** 200n, 0n])
      for (const to of [...friends, THIEF, ethereum, other, NOWHERE])
        for (const signWith of [ethereum, other]) await pays(value, to, signWith)
    for (const chainId of [5, 137]) {
      const unsignedTransaction = unsigned(1n, friends[0], chainId)
      await call('sign_transaction', { chain: 'ethereum', signWith: ethereum, unsignedTransaction })
    }
    // The same as raw bytes, as a digest, and as if it were for another chain.
    const large = unsigned(ETHER, THIEF)
    for (const encoding of ['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8'])
      for (const hashFunction of ['HASH_FUNCTION_KECCAK256', 'HASH_FUNCTION_SHA256'])
        await call('sign_payload', { signWith: other, payload: large, encoding, hashFunction })
    for (const chain of ['tempo', 'tron', 'bitcoin', 'solana'])
      await call('sign_transaction', { chain, signWith: ethereum, unsignedTransaction: large })
    await Promise.all(Array.from({ length: 12 }, () => pays(ETHER / 10n, friends[0])))
    const signed = await everythingSigned()
    assert.ok(signed.every(({ value }) => value <= ETHER / 10n))
    assert.ok(signed.every(({ to }) => friends.some((friend) => friend.toLowerCase() === to)))
    // The limit is reached: it is not that nothing works.
    const sum = signed.reduce((total, { value }) => total + value, 0n)
    assert.equal(sum, ETHER / 2n)
  })

  test('above the limit a person is asked and sees to whom, and it cannot approve for that person', async () => {
    const { told } = await pays(ETHER, friends[1])
    assert.equal(told.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.match(
      told.says,
      new RegExp(`sends 1000000000000000000 wei \\(1 ether\\) to ${friends[1]} on chain 1`),
    )
    const { fingerprint, activityId } = told
    for (const by of [agent, { ...pat, key: agent.key }]) {
      service.world.advance(1)
      const { json } = await service.submit(by, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
      assert.notEqual(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED')
    }
    const { told: later } = await call('wait_for_approval', { activityId, timeoutSeconds: 0 })
    assert.equal(later.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  })

  test('with its key it changes no rights, users, policies, features or wallets, and exports nothing', async () => {
    const charter = async () => (await service.query(service.root, 'get_organization', {})).text
    const before = await charter()
    for (const [name, parameters] of rights({ service, agent, pat, ethereum, walletId })) {
      service.world.advance(1)
      const { status, text } = await service.submit(agent, `ACTIVITY_TYPE_${name}`, parameters)
      assert.equal(status, 403, `${name}: ${text}`)
    }
    assert.equal(await charter(), before)
  })

  test('with its key it signs by raw requests no more than by tools', async () => {
    for (const [signWith, value, to] of [
      [ethereum, ETHER / 10n, friends[0]],
      [ethereum, 1n, THIEF],
      [other, 1n, friends[0]],
    ] as const) {
      service.world.advance(1)
      const { json } = await service.submit(agent, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
        signWith,
        unsignedTransaction: unsigned(value, to),
        type: 'TRANSACTION_TYPE_ETHEREUM',
      })
      assert.notEqual(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', `${signWith} ${value} ${to}`)
    }
    const sum = (await everythingSigned()).reduce((total, { value }) => total + value, 0n)
    assert.equal(sum, ETHER / 2n)
    const { status } = await service.submit(agent, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: other,
      payload: 'x',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    })
    assert.equal(status, 403)
  })

  test('a draft that it tries changes nothing', async () => {
    const unsignedTransaction = unsigned(ETHER, THIEF)
    const parameters = { signWith: ethereum, unsignedTransaction, type: 'TRANSACTION_TYPE_ETHEREUM' }
    const mine = { policyName: 'Mine', effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true' }
    const { status } = await service.query(agent, 'try_activity', {
      type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      parameters,
      draft: { policies: [mine] },
    })
    assert.equal(status, 200)
    const { told } = await call('try_signing', {
      request: { kind: 'transaction', chain: 'ethereum', signWith: ethereum, unsignedTransaction },
    })
    assert.notEqual(told.decision, 'allow')
  })
}

/** Everything by which rights are made, changed, lent or taken out, as it would be asked for by a thief. */
function rights({
  service,
  agent,
  pat,
  ethereum,
  walletId,
}: Pick<Setting, 'service' | 'agent' | 'pat' | 'ethereum' | 'walletId'>): readonly (readonly [
  string,
  object,
])[] {
  const mine = { policyName: 'Mine', effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true', notes: '' }
  const { publicKey } = service.newKey()
  const apiKeys = [{ apiKeyName: 'k', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const accomplice = { userName: 'Accomplice', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  return [
    ['CREATE_POLICY_V3', mine],
    ['CREATE_POLICIES', { policies: [mine] }],
    ['UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [agent.userId] }],
    ['CREATE_USERS_V3', { users: [accomplice] }],
    ['CREATE_API_KEYS_V2', { userId: pat.userId, apiKeys }],
    ['CREATE_API_KEYS_V2', { userId: agent.userId, apiKeys }],
    ['EXPORT_WALLET', { walletId, targetPublicKey: TARGET }],
    ['EXPORT_WALLET_ACCOUNT', { address: ethereum, targetPublicKey: TARGET }],
    ['DELETE_USERS', { userIds: [pat.userId] }],
    ['DELETE_WALLETS', { walletIds: [walletId], deleteWithoutExport: true }],
    ['SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' }],
    ['UPDATE_USER', { userId: pat.userId, userName: 'Pat', userTagIds: [] }],
    ['CREATE_WALLET', { walletName: 'Own', accounts: [] }],
  ]
}

const TARGET =
  '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5eb' +
  'd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2'
