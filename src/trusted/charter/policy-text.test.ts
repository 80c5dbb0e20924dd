import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import type { Policy } from './charter.ts'
import { policyDigest, policyText } from './policy-text.ts'

const policy: Policy = filledCharter.policies[0]
const { policyId, effect } = policy
const parts = { condition: 'true', consensus: 'true', time: 'true' }
const bare: Policy = {
  policyId,
  effect,
  policyName: 'Bare',
  notes: '',
  createdAt: policy.createdAt,
  updatedAt: policy.updatedAt,
}

test('the text of a policy has the parts that decide, as far as they are there', () => {
  assert.deepEqual(policyText(bare), { policyId, effect })
  for (const [name, text] of Object.entries(parts))
    assert.deepEqual(policyText({ ...bare, [name]: text }), { policyId, effect, [name]: text })
})

test('policies of another text have another digest', () => {
  const others: readonly Policy[] = [
    bare,
    { ...bare, policyId: 'another' },
    { ...bare, effect: 'EFFECT_DENY' },
    ...Object.entries(parts).map(([name, text]) => ({ ...bare, [name]: text })),
  ]
  assert.equal(new Set(others.map(policyDigest)).size, others.length)
})
