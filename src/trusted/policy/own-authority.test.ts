import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costs } from '../base/costs.ts'
import { finished } from '../base/work.ts'
import { compilePolicy } from './compile-policy.ts'
import { hasOwnAuthority } from './own-authority.ts'
import type { Approval } from './people.ts'
import { decisionBudget } from './run.ts'
import { A, allow, anyA, B, C, D, deny, NOW, type Rule, twoOps } from './testing/members.ts'

function hasSay(voter: Approval, rule: Rule, everyone: readonly Approval[] = [A, B, C]): boolean {
  const policies = [compilePolicy({ policyId: 'P', ...rule }, {})]
  return finished(hasOwnAuthority([{ policies, facts: {}, approvals: [voter], voter, everyone, now: NOW }]))
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

test('asking whose say it is costs what each policy takes, and no more for those before it', () => {
  const rule = allow('false && [1, 2, 3].any(n, n == 4)')
  const policy = compilePolicy({ policyId: 'P', ...rule }, {})
  const budget = decisionBudget()
  policy.condition?.evaluate({}, budget)
  const steps = decisionBudget().steps - budget.steps
  const policies = [policy, policy, policy]

  const yielded = [
    ...hasOwnAuthority([{ policies, facts: {}, approvals: [A], voter: A, everyone: [A], now: NOW }]),
  ]

  assert.ok(steps > 5)
  const each = costs.policy + steps * costs.expressionStep
  assert.deepEqual(yielded, [each, each, each])
})
