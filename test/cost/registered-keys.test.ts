import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededBytes } from '../../src/host/emulator/seeded-bytes.ts'
import { newPrivateKeys } from '../../src/trusted/activities/private-keys/new-private-key.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { costs } from '../../src/trusted/base/costs.ts'
import { Pace, SLICE, Work } from '../../src/trusted/base/work.ts'
import { ed25519PublicKeyOf } from '../../src/trusted/crypto/ed25519.ts'
import { policyVocabulary } from '../../src/trusted/catalogue/vocabulary.ts'

const COUNT = 20

const apiKeys = Array.from({ length: COUNT }, (_, at) => ({
  apiKeyName: `Key ${at}`,
  publicKey: ed25519PublicKeyOf(new Uint8Array(32).fill(at + 1)),
  curveType: 'API_KEY_CURVE_ED25519',
}))
const user = { userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }

const INTENTS: readonly (readonly [operation: string, intent: unknown])[] = [
  ['create_api_keys', { apiKeys, userId: 'any' }],
  ['create_users', { users: [user] }],
  ['create_sub_organization', { rootUsers: [user], rootQuorumThreshold: 1 }],
]

for (const [operation, intent] of INTENTS) {
  test(`${operation}: keys on Ed25519 are read one after the other, and charged`, async () => {
    let turns = 0
    const work = new Work(new Pace(async () => void turns++), 'a tenant')
    const { validate } = present(
      activities.find((activity) => activity.operation === operation),
      operation,
    )

    await validate?.(intent, policyVocabulary(activities), work)

    const cost = COUNT * costs.registeredEdwardsKey
    assert.equal(work.spent, cost)
    assert.ok(turns >= cost / (2 * SLICE), `${turns} turns`)
  })
}

test('keys that are made are made one after the other, and charged with each of their addresses', async () => {
  let turns = 0
  const work = new Work(new Pace(async () => void turns++), 'a tenant')
  const formats = ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR', 'ADDRESS_FORMAT_ETHEREUM'] as const
  const wanted = Array.from({ length: COUNT }, (_, at) => ({
    privateKeyName: `Key ${at}`,
    curve: 'CURVE_SECP256K1' as const,
    privateKeyTags: [],
    addressFormats: formats,
  }))
  const newId = () => '0198c5a0-7d3c-7000-8000-000000000001'
  const { made } = await newPrivateKeys({ wanted, now: 1, newId, randomBytes: seededBytes('1'), work })

  assert.equal(made.length, COUNT)
  const cost = COUNT * formats.length * costs.account
  assert.equal(work.spent, cost)
  assert.ok(turns >= cost / (2 * SLICE), `${turns} turns`)
})
