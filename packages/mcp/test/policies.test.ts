import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { sentenceOf } from '../src/policies.ts'

test('the sentence of a policy is told only of the text that it is about, and of one that holds at any time', () => {
  const text = { effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true' } as const
  const digest = hash('sha256', JSON.stringify(Object.values(text))).slice(0, 16)
  const policy = { policyId: '', policyName: '', ...text, notes: `It pays.\ntext ${digest}` }
  assert.equal(sentenceOf(policy), 'It pays.')
  assert.equal(sentenceOf({ ...policy, time: '' }), 'It pays.')
  for (const change of [
    { time: 'time.hour < 12' },
    { effect: 'EFFECT_DENY' },
    { condition: 'false' },
    { consensus: 'false' },
    { notes: 'It pays.' },
    { notes: `${policy.notes}\nAnd more.` },
  ] as const)
    assert.equal(sentenceOf({ ...policy, ...change }), undefined, JSON.stringify(change))
})
