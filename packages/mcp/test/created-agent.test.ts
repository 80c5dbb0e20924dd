import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pausePolicy } from '../../../src/host/cli/agent/located.ts'
import { payment } from './payments.ts'
import { aCreatedAgent, ETHER } from './setting.ts'

const setting = await aCreatedAgent()
after(() => setting.close())
const { call, service, agent, ethereum, friends, pat } = setting
const pays = (value: bigint, nonce: number) =>
  call('sign_transaction', {
    chain: 'ethereum',
    signWith: ethereum,
    unsignedTransaction: payment({ value, to: friends[0], nonce }),
  })

test('an agent of `claviger agent create` is told its policies in the sentences of that command', async () => {
  const { told } = await call('who_am_i')
  const sentences = told.policies.map(({ sentence }: { sentence?: { data: string } }) => sentence?.data)
  assert.match(sentences[0], /^It signs transactions and does nothing else/)
  assert.ok(sentences.every((sentence: unknown) => typeof sentence === 'string'))
  const alone = told.policies.find(({ limits }: { limits: object[] }) => limits.length > 0)
  assert.match(
    alone.sentence.data,
    /^It pays alone up to 0\.1 eth in one transaction, up to 0\.5 eth in 24 hours/,
  )
  assert.deepEqual(alone.limits[0].left, { units: `${ETHER / 2n} wei`, coins: '0.5 ether' })
  const listed = await call('addresses')
  assert.deepEqual(
    [listed.told.addresses[0].signWith, listed.told.addresses[0].namedInMyPolicies],
    [ethereum, true],
  )
})

test('the sentence of a policy is not told any more where the policy holds at some times only', async () => {
  const denial = async () => (await call('who_am_i')).told.policies[0]
  const { policyId, sentence } = await denial()
  assert.match(sentence.data, /and does nothing else/)
  const change = async (time: string) =>
    await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, time })
  await change("CronSpan('0 8 * * 1-5', '10h', 'UTC')")
  const { sentence: told, onlyWhile } = await denial()
  assert.equal(told, undefined)
  assert.match(onlyWhile.data, /^CronSpan/)
  await change('')
  assert.match((await denial()).sentence.data, /and does nothing else/)
})

test('it pays within its limit, is told what is left, and asks above it', async () => {
  assert.equal((await pays(ETHER / 10n, 0)).told.status, 'ACTIVITY_STATUS_COMPLETED')
  const { told } = await call('who_am_i')
  const [limit] = told.policies.flatMap(({ limits }: { limits: object[] }) => limits)
  assert.equal(limit.left.coins, '0.4 ether')
  const { told: waiting } = await pays(ETHER, 1)
  assert.ok(waiting.mayApprove.some(({ userId }: { userId: string }) => userId === pat.userId))
  service.world.advance(1)
  await service.submit(pat, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: waiting.fingerprint })
  const { told: approved } = await call('wait_for_approval', { activityId: waiting.activityId })
  assert.match(approved.says, /^It is approved and signed\. It sends 1000000000000000000 wei/)
})

test('policies of another agent are not told as its own', async () => {
  const before = await call('who_am_i')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Of another',
    effect: 'EFFECT_DENY',
    condition: `[usage.user].filter(u, u == '${pat.userId}').any(u, wallet.id != 'x')`,
    notes: '',
  })
  assert.equal((await call('who_am_i')).told.policies.length, before.told.policies.length)
})

test('what a request does is shown also where the policies leave no place for the question', async () => {
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Shows what is read (claviger-mcp)',
    effect: 'EFFECT_DENY',
    condition: "activity.kind == 'DELETE_USERS'",
    notes: '',
  })
  const unsignedTransaction = payment({ value: 1n, to: friends[0], nonce: 9 })
  const request = { kind: 'transaction', chain: 'ethereum', signWith: ethereum, unsignedTransaction }
  const { told } = await call('try_signing', { request })
  assert.equal(told.decision, 'allow')
  assert.match(told.says, /It sends 1 wei/)
})

test('a paused agent signs nothing and still reads, and one that is revoked does neither', async () => {
  const unsignedTransaction = payment({ value: 1n, to: friends[0], nonce: 10 })
  const asked = { chain: 'ethereum', signWith: ethereum, unsignedTransaction }
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', pausePolicy('shopper', agent.userId))
  assert.equal((await call('sign_transaction', asked)).told.says, 'The service refuses (403).')
  assert.equal((await call('addresses')).isError, false)
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [agent.userId] })
  for (const answer of [await call('sign_transaction', asked), await call('addresses')])
    assert.equal(answer.told.says, 'The service refuses (401).')
})
