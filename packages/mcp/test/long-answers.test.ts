import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { payment } from './payments.ts'
import { aSetting, ETHER } from './setting.ts'

let setting: Awaited<ReturnType<typeof aSetting>>
after(() => setting.close())

// A user who may write policies, and no more, writes as many and as long ones as the service takes of one.
before(async () => {
  setting = await aSetting()
  const { service } = setting
  const address = (number: number) => `0x${String(number).padStart(40, '0')}`
  const long = Array.from({ length: 260 }, (_, at) => `eth.tx.to == '${address(at)}'`).join(' && ')
  for (let count = 0; count < 40; count += 1)
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: `Long ${count}`,
      effect: count % 2 === 0 ? 'EFFECT_ALLOW' : 'EFFECT_DENY',
      condition: long,
      consensus: 'true',
      notes: 'n'.repeat(400),
    })
})

test('long policies of others do not fill what a model can hold, and hide none of its own', async () => {
  const { told, text } = await setting.call('who_am_i')
  assert.ok(text.length < 100_000, String(text.length))
  assert.equal(told.policies.length, 44)
  assert.match(told.says, /44 policies are about you/)
  assert.match(told.says, /of \d+ of them only the name is shown/)
  const own = told.policies.filter(({ name }: { name: { data: string } }) => !name.data.startsWith('Long'))
  assert.equal(own.length, 4)
  for (const { condition } of own) assert.ok(condition.length > 0)
})

test('why a request is not allowed is told in parts that a model can hold', async () => {
  const { ethereum: signWith, other } = setting
  const unsignedTransaction = payment({ value: ETHER * 5n, to: other })
  const request = { kind: 'transaction', signWith, chain: 'ethereum', unsignedTransaction }
  const { told, text } = await setting.call('try_signing', { request })
  assert.ok(text.length < 100_000, String(text.length))
  assert.equal(told.decision, 'wait')
  assert.ok(told.reasons.length > 0)
  assert.ok(told.moreReasons > 0)
})

test('of more reasons than there is room for, the denial is told first', async () => {
  const { ethereum: signWith, friends, service } = setting
  const { policyId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Nothing today',
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'SIGN'",
    notes: '',
  })
  const unsignedTransaction = payment({ value: 1n, to: friends[0] })
  const request = { kind: 'transaction', signWith, chain: 'ethereum', unsignedTransaction }
  const { told } = await setting.call('try_signing', { request })
  assert.equal(told.decision, 'deny')
  assert.ok(told.moreReasons > 0)
  assert.deepEqual(told.reasons[0], { policyId, why: 'denied', notMet: [] })
})
