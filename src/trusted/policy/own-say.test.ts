import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finished } from '../base/work.ts'
import { compilePolicy } from './compile-policy.ts'
import { hasOwnSay } from './own-say.ts'
import type { Approval } from './people.ts'
import { A, allow, anyA, B, C, D, deny, NOW, type Rule, twoOps } from './testing/members.ts'

function hasSay(voter: Approval, rule: Rule, everyone: readonly Approval[] = [A, B, C]): boolean {
  const policies = [compilePolicy({ policyId: 'P', ...rule }, {})]
  return finished(hasOwnSay([{ policies, facts: {}, approvals: [voter], voter, everyone, now: NOW }]))
}

test('a voter has a say of their own where a policy asks for nobody in particular, or counts them', () => {
  assert.equal(hasSay(C, allow()), true)
  assert.equal(hasSay(A, allow(undefined, anyA)), true)
  assert.equal(hasSay(A, allow(undefined, twoOps)), true, 'with one more of them')
  const tagged = "approvers.any(u, u.tags[0] == 'ops') && approvers.count() > 1"
  assert.equal(
    hasSay(A, allow(undefined, tagged), [A, B, D]),
    true,
    'whatever it says of somebody without a tag',
  )
})

test('a voter has none where only others are asked, where all together are too few, and by a policy that denies', () => {
  assert.equal(hasSay(C, allow(undefined, anyA)), false)
  assert.equal(hasSay(C, allow(undefined, twoOps)), false)
  assert.equal(hasSay(A, allow(undefined, twoOps), [A, C]), false)
  assert.equal(hasSay(A, allow('false')), false)
  assert.equal(hasSay(A, deny()), false)
  assert.equal(hasSay(A, { ...allow(), time: "time.now < Timestamp('2026-01-01T00:00:00Z')" }), false)
})
