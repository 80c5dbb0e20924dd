import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costs } from '../base/costs.ts'
import { compilePolicy, type CompiledPolicy } from './compile-policy.ts'
import { combinedSteps } from './combine-decisions.ts'
import { eligibleVoterSteps } from './eligible-voters.ts'
import { parseExpression } from './expression.ts'
import { STEPS_MAX } from './limits.ts'
import { hasOwnAuthority } from './own-authority.ts'
import type { Approval } from './people.ts'
import { allow, NOW } from './testing/members.ts'

/** As many as an organization may have, with as many credentials as each may have. */
const everyone = Array.from({ length: 100 }, (_, at) => holderOfMany(`U${at}`))
const [voter = holderOfMany('')] = everyone

function holderOfMany(id: string): Approval {
  const credentials = Array.from({ length: 30 }, (_, at) => ({
    id: `${id}-${at}`,
    userId: id,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    credentialId: '',
    publicKey: '',
  }))
  return { user: { id, tags: [], email: '', alias: id }, credentials }
}

/** Each of its 300 parts is asked at each moment, and all the credentials that there are then. */
const parts = Array.from({ length: 300 }, () => "credentials.filter(c, c.id == 'x').count() == 2")
const consensus = `approvers.any(u, u.id == 'U0') && (${parts.join(' || ')})`

function questions(policies: readonly CompiledPolicy[], things: number) {
  const question = { policies, facts: {}, approvals: [voter], voter, everyone, now: NOW }
  return Array.from({ length: things }, () => question)
}

/** Three evaluations: of a condition, a consensus and a time. */
const STEP_MAX = costs.policy + 3 * STEPS_MAX * costs.expressionStep

test('no step of a decision takes longer than its evaluations, however many parts a consensus has', () => {
  const policies = [compilePolicy({ policyId: 'P', ...allow(undefined, consensus) }, {})]
  const all = {
    deciding: [...combinedSteps(questions(policies, 1_000))],
    voters: [...eligibleVoterSteps(questions(policies, 1_000))],
    authority: [...hasOwnAuthority(questions(policies, 1_000))],
  }
  for (const [what, steps] of Object.entries(all)) {
    const longest = Math.max(...steps)
    assert.ok(longest <= STEP_MAX, `${what}: ${longest} units in one step`)
  }
})

test('an expression that is too long for the steps that are left takes all of them', () => {
  const budget = { steps: 2 }
  const expression = parseExpression('1 == 1', {})
  assert.notEqual(expression.evaluate({}, budget), true)
  assert.equal(budget.steps, 0)
})

test('where no steps are left, the parts of a consensus are not asked', () => {
  let asked = 0
  const policy = compilePolicy({ policyId: 'P', ...allow(undefined, consensus) }, {})
  assert.ok(policy.consensus !== undefined)
  const counted = {
    kind: 'part',
    evaluate: () => false,
    counts: () => (asked++, false),
    grows: false,
    shrinks: false,
  } as const
  const demand = { kind: 'or', parts: [counted, counted] } as const
  const counting = { ...policy, consensus: { ...policy.consensus, demand } }
  const budgetOf = (things: number) => questions([policy, counting], things)

  for (const _ of hasOwnAuthority(budgetOf(1))) continue

  assert.equal(asked, 0)
})
