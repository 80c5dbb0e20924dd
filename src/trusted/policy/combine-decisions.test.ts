import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finished } from '../base/work.ts'
import { compilePolicy, type PolicyEffect } from './compile-policy.ts'
import type { PolicyDecision, PolicyQuestion } from './decide.ts'
import { combinedDecision, combinedSteps } from './combine-decisions.ts'
import { explainPolicies } from './explain.ts'

const ada = { user: { id: 'ada', tags: [], email: '', alias: 'Ada' }, credentials: [] }

const numbers = `[${Array.from({ length: 100 }, (_, number) => number).join(', ')}]`
const COSTLY = `${numbers}.any(x, ${numbers}.all(y, x == y))`

function asking(...conditions: readonly (readonly [PolicyEffect, string])[]): PolicyQuestion {
  const policies = conditions.map(([effect, condition], at) =>
    compilePolicy({ policyId: `policy ${at}`, effect, condition }, {}),
  )
  return { policies, facts: {}, approvals: [ada], voter: ada, everyone: [ada], now: 0 }
}

test('of the things that a request does, one that is denied decides, then one that nobody allows, then one that has to wait', () => {
  const mattersMost: readonly PolicyDecision[] = ['deny', 'none', 'consensus', 'allow']
  for (const [at, first] of mattersMost.entries())
    for (const second of mattersMost.slice(at))
      for (const decisions of [
        [first, second],
        [second, first],
      ]) {
        const questions = decisions.map((_, now) => ({ ...asking(), now }))
        const steps = combinedSteps(questions, function* ({ now }) {
          yield 1
          return { evaluations: [], decision: decisions[now] ?? 'deny', deniedBy: [] }
        })
        const answer = finished(steps)
        assert.equal(answer.answer.decision, first, decisions.join(', '))
        assert.equal(decisions[answer.question.now], first, 'it comes with its own question')
      }
})

test('what a request does shares the steps of its decision, however many things it does', () => {
  const question = asking(['EFFECT_ALLOW', 'true'], ['EFFECT_DENY', COSTLY])
  assert.equal(combinedDecision([question]).answer.decision, 'allow')
  const many = Array.from({ length: 1_000 }, () => question)
  // Out of steps is a failure, and a DENY policy that fails denies.
  assert.equal(combinedDecision(many).answer.decision, 'deny')
  const cheap = asking(['EFFECT_ALLOW', 'true'], ['EFFECT_DENY', `1 in ${numbers} && false`])
  assert.equal(combinedDecision(many.map(() => cheap)).answer.decision, 'allow')
})

test('a part of a condition is told by the beginning of its text', () => {
  const long = 'x'.repeat(10_000)
  const { policies } = explainPolicies(asking(['EFFECT_ALLOW', `'${long}' == '${long.slice(0, 500)}'`]))
  const [told] = policies
  assert.equal(told?.condition?.text.length, 10_508)
  assert.equal(told?.condition?.whole?.text.length, 512)
  assert.equal(told?.condition?.whole?.end, 10_508)
})
