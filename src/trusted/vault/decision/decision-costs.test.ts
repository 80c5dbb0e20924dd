import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openServiceOn, type Sent, START } from '../../../../test/tampering/harness.ts'
import { done, newKey, newUser, populate, signing, submission } from '../../../../test/tampering/populated.ts'
import { activityIn } from '../../../../test/tampering/put-back.ts'
import { testWorld } from '../../../../test/support/service.ts'
import { stampKeyFrom, stampWith } from '../../../../test/support/stamper.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Vault } from '../../../protocol/vault.ts'
import { costs } from '../../base/costs.ts'

const store = openSqlite({ path: ':memory:' })
after(() => store.close())
let cost = 0
const service = await openServiceOn(
  store,
  testWorld(1, START),
  (vault: Vault): Vault => ({
    ...vault,
    decide: async (request) => {
      const decision = await vault.decide(request)
      cost = decision.cost
      return decision
    },
  }),
)
const { world } = service
const { root, ada, ben } = await populate(service, store)

/** What the last decision on a request has cost, which the service has answered. */
async function costOf(sent: Sent): Promise<number> {
  activityIn(await service.send(sent))
  return cost
}

test('a vote costs more with each vote before it, all of which are verified again', async () => {
  const cleo = await newUser(service, root, 'Cleo')
  await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'Four make tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 4',
    notes: '',
  })
  const asked = submission(world, ada, 'CREATE_USER_TAG', { userTagName: 'Of four', userIds: [] })
  const { fingerprint } = activityIn(await service.send(asked))
  const second = await costOf(submission(world, ben, 'APPROVE_ACTIVITY', { fingerprint }))
  const third = await costOf(submission(world, cleo, 'APPROVE_ACTIVITY', { fingerprint }))
  assert.ok(third - second > costs.vote && third - second < 2 * costs.vote, `${second}, then ${third}`)
})

test('a request costs each character of its body', async () => {
  const { privateKeyId } = await newKey(service, root, 'Of little')
  const less = await costOf(signing(world, root, privateKeyId, '01'))
  const short = signing(world, root, privateKeyId, '02')
  const body = short.body.padEnd(short.body.length + 100_000)
  const more = await costOf({ ...short, body, xStamp: stampWith(root.key, body).stampHeaderValue })
  const characters = 100_000 * costs.bodyCharacter
  assert.ok(more - less >= characters && more - less < 2 * characters, `${less}, then ${more}`)
})

test('a request of an unknown sender costs no character of its body, which is not read', async () => {
  const stranger = { ...root, key: stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes) }
  const short = submission(world, stranger, 'CREATE_USER_TAG', { userTagName: 'Of a stranger', userIds: [] })
  const body = short.body.padEnd(short.body.length + 100_000)
  const long = { ...short, body, xStamp: stampWith(stranger.key, body).stampHeaderValue }
  const spent: number[] = []
  for (const sent of [short, long]) {
    assert.equal((await service.send(sent)).status, 401)
    spent.push(cost)
  }
  const [less, more] = spent
  assert.equal(more, less)
})

test('a row costs each character of it, where it is opened', async () => {
  const few = await newKey(service, root, 'Of no tags')
  const privateKeyTagIds: string[] = []
  for (let at = 0; at < 30; at++) {
    const tag = { privateKeyTagName: `Tag ${at}`, privateKeyIds: [] }
    privateKeyTagIds.push((await done(service, root, 'CREATE_PRIVATE_KEY_TAG', tag)).privateKeyTagId)
  }
  const many = await newKey(service, root, 'Of many tags', privateKeyTagIds)
  // A key with tags amends the charter, which is opened first.
  await costOf(signing(world, root, few.privateKeyId, '00'))
  const less = await costOf(signing(world, root, few.privateKeyId, '03'))
  const more = await costOf(signing(world, root, many.privateKeyId, '04'))
  const tags = JSON.stringify(privateKeyTagIds).length * costs.rowCharacter
  assert.ok(more - less > 0.9 * tags && more - less < 2 * tags, `${less}, then ${more}, for ${tags}`)
})

test('an amendment costs each character of the policies that it opens and seals', async () => {
  const tagged = async (userTagName: string): Promise<number> =>
    await costOf(submission(world, root, 'CREATE_USER_TAG', { userTagName, userIds: [] }))
  await tagged('One')
  const less = await tagged('Two')
  const condition = `activity.kind in ['${'x'.repeat(10_000)}']`
  const policy = { policyName: 'Long', effect: 'EFFECT_DENY', condition, notes: '' }
  await done(service, root, 'CREATE_POLICY_V3', policy)
  await tagged('Six')
  const more = await tagged('Ten')
  // Once where the charter is opened, and once where it is sealed.
  const twice = 2 * condition.length * costs.charterCharacter
  assert.ok(more - less > 0.9 * twice && more - less < 2 * twice, `${less}, then ${more}`)
})
