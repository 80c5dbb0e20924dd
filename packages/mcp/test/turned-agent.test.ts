import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseTransaction, type TransactionSerialized } from 'viem'
import { payment } from './payments.ts'
import { aSetting, ETHER } from './setting.ts'

// An agent that has turned against its owner: it has every tool, and its key besides, with which it asks the service itself.
const setting = await aSetting()
after(() => setting.close())
const { call, service, agent, pat, ethereum, solana, other, friends, walletId } = setting
const { organizationId } = agent
const thief = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const stolenKey = service.newKey()

let nonces = 0
const transaction = (value: bigint, to: string, chainId = 1, data?: string) =>
  payment({ value, to, nonce: nonces++, chainId, ...(data === undefined ? {} : { data }) })

/** All that was signed for the agent's account so far, as the records of the service have it. */
async function everythingSigned(): Promise<readonly { readonly to: string; readonly value: bigint }[]> {
  const signed: { to: string; value: bigint }[] = []
  for (let after: string | undefined; ; ) {
    const { json } = await service.query(service.root, 'list_activities', {
      filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
      filterByType: ['ACTIVITY_TYPE_SIGN_TRANSACTION_V2'],
      paginationOptions: { limit: '100', ...(after === undefined ? {} : { after }) },
    })
    for (const { result } of json.activities) {
      const { to, value } = parseTransaction(
        // A signed transaction of this type begins with 02.
        `0x${result.signTransactionResult.signedTransaction}` as TransactionSerialized,
      )
      signed.push({ to: String(to), value: value ?? 0n })
    }
    if (json.activities.length < 100) return signed
    after = json.activities.at(-1).id
  }
}

test('by tools it signs no more than a half a day, a tenth at once, to friends, whatever it tries', async () => {
  const amounts = [ETHER, ETHER / 10n + 1n, ETHER / 10n, 2n ** 200n, 0n]
  const places = [...friends, thief, ethereum, other, '0x0000000000000000000000000000000000000000']
  for (const value of amounts)
    for (const to of places)
      for (const signWith of [ethereum, other])
        await call('sign_transaction', {
          chain: 'ethereum',
          signWith,
          unsignedTransaction: transaction(value, to),
        })
  for (const chainId of [5, 137])
    await call('sign_transaction', {
      chain: 'ethereum',
      signWith: ethereum,
      unsignedTransaction: transaction(1n, friends[0], chainId),
    })
  // The same as raw bytes, as a digest, as a message, and for another chain.
  const unsigned = transaction(ETHER, thief)
  for (const encoding of ['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8'])
    for (const hashFunction of ['HASH_FUNCTION_KECCAK256', 'HASH_FUNCTION_SHA256'])
      await call('sign_payload', { signWith: other, payload: unsigned, encoding, hashFunction })
  for (const chain of ['tempo', 'tron', 'bitcoin', 'solana'])
    await call('sign_transaction', { chain, signWith: ethereum, unsignedTransaction: unsigned })
  await Promise.all(
    Array.from({ length: 12 }, () =>
      call('sign_transaction', {
        chain: 'ethereum',
        signWith: ethereum,
        unsignedTransaction: transaction(ETHER / 10n, friends[0]),
      }),
    ),
  )
  const signed = await everythingSigned()
  const sum = signed.reduce((total, { value }) => total + value, 0n)
  assert.ok(signed.every(({ value }) => value <= ETHER / 10n))
  assert.ok(signed.every(({ to }) => friends.some((friend) => friend.toLowerCase() === to)))
  // The limit is reached: it is not that nothing works.
  assert.equal(sum, ETHER / 2n)
})

test('it waits for a person with the thief in plain sight, and cannot approve for that person', async () => {
  const asked = { chain: 'ethereum', signWith: ethereum, unsignedTransaction: transaction(ETHER, thief) }
  const { told } = await call('sign_transaction', asked)
  assert.equal(told.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.match(told.says, new RegExp(thief))
  const { fingerprint } = told
  service.world.advance(1)
  const vote = await service.submit(agent, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.notEqual(vote.json.activity?.status, 'ACTIVITY_STATUS_COMPLETED')
  const asPat = await service.submit({ ...pat, key: agent.key }, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint,
  })
  assert.notEqual(asPat.json.activity?.status, 'ACTIVITY_STATUS_COMPLETED')
  const { told: after } = await call('wait_for_approval', { activityId: told.activityId, timeoutSeconds: 0 })
  assert.equal(after.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
})

/** Everything by which rights are made, changed, lent or taken out, as it would be asked for by a thief. */
const RIGHTS: readonly (readonly [type: string, parameters: object])[] = [
  [
    'CREATE_POLICY_V3',
    { policyName: 'Mine', effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true', notes: '' },
  ],
  [
    'CREATE_POLICIES',
    {
      policies: [
        { policyName: 'Mine', effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true', notes: '' },
      ],
    },
  ],
  ['UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [agent.userId] }],
  [
    'CREATE_USERS_V3',
    {
      users: [
        {
          userName: 'Accomplice',
          apiKeys: [{ apiKeyName: 'k', publicKey: stolenKey.publicKey, curveType: 'API_KEY_CURVE_P256' }],
          authenticators: [],
          oauthProviders: [],
          userTags: [],
        },
      ],
    },
  ],
  [
    'CREATE_API_KEYS_V2',
    {
      userId: pat.userId,
      apiKeys: [{ apiKeyName: 'k', publicKey: stolenKey.publicKey, curveType: 'API_KEY_CURVE_P256' }],
    },
  ],
  [
    'CREATE_API_KEYS_V2',
    {
      userId: agent.userId,
      apiKeys: [{ apiKeyName: 'k', publicKey: stolenKey.publicKey, curveType: 'API_KEY_CURVE_P256' }],
    },
  ],
  ['EXPORT_WALLET', { walletId, targetPublicKey: uncompressed() }],
  ['EXPORT_WALLET_ACCOUNT', { address: ethereum, targetPublicKey: uncompressed() }],
  ['DELETE_USERS', { userIds: [pat.userId] }],
  ['DELETE_WALLETS', { walletIds: [walletId], deleteWithoutExport: true }],
  ['SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' }],
  ['UPDATE_USER', { userId: pat.userId, userName: 'Pat', userTagIds: [] }],
  ['CREATE_WALLET', { walletName: 'Own', accounts: [] }],
]

function uncompressed(): string {
  return '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2'
}

test('with its key it makes and changes no rights, users, policies, features or wallets, and exports nothing', async () => {
  const charter = async () => (await service.query(service.root, 'get_organization', {})).text
  const before = await charter()
  for (const [name, parameters] of RIGHTS) {
    service.world.advance(1)
    const { status, text } = await service.submit(agent, `ACTIVITY_TYPE_${name}`, parameters)
    assert.equal(status, 403, `${name}: ${text}`)
  }
  assert.equal(await charter(), before)
})

test('with its key it signs by raw requests no more than by tools', async () => {
  for (const [signWith, value, to] of [
    [ethereum, ETHER / 10n, friends[0]],
    [ethereum, 1n, thief],
    [other, 1n, friends[0]],
  ] as const) {
    service.world.advance(1)
    const { json } = await service.submit(agent, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith,
      unsignedTransaction: transaction(value, to),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    })
    assert.notEqual(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', `${signWith} ${value} ${to}`)
  }
  assert.equal(
    (await everythingSigned()).reduce((total, { value }) => total + value, 0n),
    ETHER / 2n,
  )
  const others = await service.submit(agent, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: other,
    payload: 'x',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  assert.equal(others.status, 403)
})

test('a draft that it tries changes nothing', async () => {
  const { status } = await service.query(agent, 'try_activity', {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    parameters: {
      signWith: ethereum,
      unsignedTransaction: transaction(ETHER, thief),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    },
    draft: {
      policies: [{ policyName: 'Mine', effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true' }],
    },
  })
  assert.equal(status, 200)
  const { told } = await call('try_signing', {
    request: {
      kind: 'transaction',
      chain: 'ethereum',
      signWith: ethereum,
      unsignedTransaction: transaction(ETHER, thief),
    },
  })
  assert.equal(told.decision, 'wait')
})

test('what policies do not see they do not limit: bytes of its own wallet are signed, as its policy says', async () => {
  // The owner let it sign messages, and to a service that is all that these bytes are. SECURITY.md says so.
  const { told } = await call('sign_message', { chain: 'solana', signWith: solana, message: 'anything' })
  assert.equal(told.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(organizationId, service.organizationId)
})
