import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { caseless } from '../base/caseless.ts'
import { costs } from '../base/costs.ts'
import { compilePolicy, type PolicyTerms } from './compile-policy.ts'
import { decidePolicies, decisionSteps } from './decide.ts'
import {
  type ExplainedPart,
  type Explanation,
  explainPolicies,
  explanationRoom,
  explanationSteps,
} from './explain.ts'
import type { Approval } from './people.ts'
import { shown } from './shown.ts'
import { anyExpression, anyFacts, sampleVocabulary } from './testing/arbitrary.ts'
import { print } from './print.ts'
import { Problem } from './problem.ts'
import { dynamic, type Facts, int, list, map, string, struct, type Value, type Vocabulary } from './types.ts'

const vocabulary: Vocabulary = {
  activity: struct({ kind: string }),
  tx: struct({ to: string, value: int, args: map(dynamic), numbers: list(int) }),
  wallet: struct({ id: string }),
}
const facts: Facts = {
  activity: { kind: 'SIGN' },
  tx: { to: caseless('0xAb'), value: 5n, args: { a: [1n, { b: 'x' }] }, numbers: [1n, 2n] },
}
const A: Approval = { user: { id: 'A', tags: [], email: '', alias: 'A' }, credentials: [] }
const NOW = Date.UTC(2026, 2, 1)

function explain(...terms: readonly Omit<PolicyTerms, 'policyId'>[]): Explanation {
  const policies = terms.map((term, at) => compilePolicy({ policyId: `${at}`, ...term }, vocabulary))
  const question = { policies, facts, approvals: [A], voter: A, everyone: [A], now: NOW }
  const explanation = explainPolicies(question)
  const { evaluations, decision, deniedBy } = decidePolicies(question)
  assert.deepEqual({ decision, deniedBy }, { decision: explanation.decision, deniedBy: explanation.deniedBy })
  assert.deepEqual(
    evaluations,
    explanation.policies.map(({ policyId, outcome }) => ({ policyId, outcome })),
  )
  return JSON.parse(JSON.stringify(explanation))
}

/** Each part on a line of its own: how deep, its text, what it came to. */
function lines(part: ExplainedPart | undefined, depth = 0): readonly string[] {
  if (part === undefined) return []
  const { text, item, result } = part
  const told = 'value' in result ? result.value : result.problem.kind
  const about = item === undefined ? '' : ` (${item.name} is ${item.value})`
  return [
    `${'  '.repeat(depth)}${text} is ${told}${about}`,
    ...part.parts.flatMap((inner) => lines(inner, depth + 1)),
  ]
}

test('every part of a condition is told with its text and its value', () => {
  const { policies } = explain({
    effect: 'EFFECT_ALLOW',
    condition: " tx.to == '0xaB' && (tx.numbers.all(n, n < 2) || wallet.id == 'W')",
  })

  assert.deepEqual(lines(policies[0]?.condition?.whole), [
    "tx.to == '0xaB' && (tx.numbers.all(n, n < 2) || wallet.id == 'W') is missing",
    "  tx.to == '0xaB' is true",
    "    tx.to is '0xAb'",
    "      tx is {to: '0xAb', value: 5, args: {a: [1, {b: 'x'}]}, numbers: [1, 2]}",
    "    '0xaB' is '0xaB'",
    "  tx.numbers.all(n, n < 2) || wallet.id == 'W' is missing",
    '    tx.numbers.all(n, n < 2) is false',
    '      tx.numbers is [1, 2]',
    "        tx is {to: '0xAb', value: 5, args: {a: [1, {b: 'x'}]}, numbers: [1, 2]}",
    '      n < 2 is true (n is 1)',
    '        n is 1',
    '        2 is 2',
    '      n < 2 is false (n is 2)',
    '        n is 2',
    '        2 is 2',
    "    wallet.id == 'W' is missing",
    '      wallet.id is missing',
    '        wallet is missing',
    "      'W' is 'W'",
  ])
  assert.deepEqual(policies[0]?.condition?.result, {
    problem: { kind: 'missing', reason: 'this activity has no wallet (at 49:55)' },
  })
})

test('consensus and time are told when they were asked, and otherwise only that they are there', () => {
  const { decision, policies } = explain(
    { effect: 'EFFECT_ALLOW', condition: 'false', consensus: 'true', time: 'true' },
    { effect: 'EFFECT_ALLOW', consensus: "approvers.any(u, u.id == 'B')" },
    {
      effect: 'EFFECT_DENY',
      consensus: 'approvers.count() == 1',
      time: "time.now < Timestamp('2026-03-01T00:00:00Z')",
    },
  )

  assert.equal(decision, 'none')
  assert.deepEqual(
    policies.map(({ outcome }) => outcome),
    ['OUTCOME_DENY_IMPLICIT', 'OUTCOME_DENY_IMPLICIT', 'OUTCOME_TIME_INACTIVE'],
  )
  assert.deepEqual(policies[0]?.consensus, { text: 'true' })
  assert.deepEqual(policies[0]?.time, { text: 'true' })
  assert.equal(policies[1]?.condition, undefined)
  assert.deepEqual(lines(policies[2]?.time?.whole), [
    "time.now < Timestamp('2026-03-01T00:00:00Z') is false",
    `  time.now is ${NOW}`,
    `    time is {now: ${NOW}}`,
    `  Timestamp('2026-03-01T00:00:00Z') is ${NOW}`,
  ])
})

test('a text that no longer fits is told with what is wrong with it', () => {
  const { policies } = explain({ effect: 'EFFECT_DENY', condition: "tx.gone == 'x'" })

  assert.deepEqual(policies[0]?.condition, {
    text: "tx.gone == 'x'",
    result: {
      problem: {
        kind: 'failed',
        reason: 'Expression cannot be evaluated: field does not exist: gone (at 0:7)',
      },
    },
  })
})

test('an explanation has an end, and says where it left out parts', () => {
  const thousand = `[${Array.from({ length: 1_000 }, (_, at) => at).join(', ')}]`
  const { policies, decision } = explain(
    { effect: 'EFFECT_DENY', condition: `${thousand}.any(a, [1, 2, 3, 4, 5, 6].any(b, a == b && a > 2000))` },
    { effect: 'EFFECT_ALLOW', condition: "tx.to == '0xab'" },
  )

  assert.equal(decision, 'allow')
  assert.equal(policies[0]?.condition?.whole?.isCut, true)
  assert.equal(lines(policies[0]?.condition?.whole).length, 10_000)
  assert.ok(JSON.stringify(policies).length < 2_500_000)
  assert.deepEqual(policies[1]?.condition, { text: "tx.to == '0xab'", result: { value: 'true' } })
})

test('a long value that a policy names thousands of times is told until there is no room left, in short steps', () => {
  const numbers = Array.from({ length: 64 }, () => 1n)
  // A control character takes six characters of JSON.
  const given = { ...facts, tx: { to: '\u0001'.repeat(500), value: 5n, args: {}, numbers } }
  const each = "tx.numbers.all(a, tx.numbers.all(b, tx.to != ''))"
  const policies = ['one', 'other'].map((policyId) =>
    compilePolicy({ policyId, effect: 'EFFECT_ALLOW', condition: each }, vocabulary),
  )
  const question = { policies, facts: given, approvals: [A], voter: A, everyone: [A], now: NOW }
  const deciding = [...decisionSteps(question)].length

  const room = explanationRoom()
  const steps = explanationSteps(question, room)
  const told: number[] = []
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) told.push(step.value)
  const [first, second] = step.value.policies

  const length = JSON.stringify(step.value).length
  assert.ok(length > 1_000_000 && length < 2_000_000, `${length} characters`)
  assert.ok(told.slice(deciding).every((cost) => cost < 1_000))
  assert.ok(told.slice(deciding).reduce((sum, cost) => sum + cost, 0) > 1_000_000 * costs.explainedCharacter)
  assert.equal(first?.condition?.whole?.isCut, true)
  assert.deepEqual(second?.condition, { text: each, result: { value: 'true' } })
  assert.ok(room.characters <= 0)
})

test('a value is shown no longer than a reader can take in, however large and deep it is', () => {
  const wide = (depth: number): Value =>
    Array.from({ length: 40 }, () => (depth === 0 ? 'x'.repeat(40) : wide(depth - 1)))
  let deep: Value = 'end'
  for (let at = 0; at < 400; at += 1) deep = [{ a: deep }]

  for (const value of [wide(2), deep, 'y'.repeat(9_000), { ['k'.repeat(900)]: 1n, b: 2n }, 10n ** 600n])
    assert.ok(shown(value).length < 3_000)
  assert.equal(shown({ a: [1n, 'x', caseless('Y')], b: true, c: [] }), "{a: [1, 'x', 'Y'], b: true, c: []}")
  assert.match(shown('y'.repeat(9_000)), /^'y{512}…'$/)
})

test('what a value lacks is shown as a question mark, and nothing is shown once the room is used up', () => {
  assert.equal(shown({ a: undefined, b: new Problem('missing', 'no b'), c: 1n }), '{a: ?, b: ?, c: 1}')
  const all = 'y'.repeat(510)
  assert.equal(shown([all, 'x']), `['${all}', …]`)
  assert.equal(shown([all.slice(1), 'x']), `['${all.slice(1)}', '…']`)
})

test('a value of exactly the length that may be shown is shown whole', () => {
  assert.equal(shown('y'.repeat(512)), `'${'y'.repeat(512)}'`)
})

test('explaining costs the reading of each text and each part that is told, beside what deciding costs', () => {
  const terms = (at: number): PolicyTerms => ({
    policyId: `${at}`,
    effect: 'EFFECT_ALLOW',
    condition: 'true && '.repeat(at).concat('false'),
  })
  const policies = [compilePolicy(terms(0), vocabulary), compilePolicy(terms(9), vocabulary)]
  const question = { policies, facts, approvals: [A], voter: A, everyone: [A], now: NOW }

  const deciding = [...decisionSteps(question)]
  const explaining = [...explanationSteps(question)]

  const reading = [5, 9 * 8 + 5].map((characters) => characters * costs.expressionCharacter)
  const { policies: told } = explainPolicies(question)
  const parts = told.flatMap(({ condition }) => lines(condition?.whole)).length
  assert.deepEqual(
    explaining.slice(0, deciding.length),
    deciding.map((step, at) => step + (reading[at] ?? 0)),
  )
  const telling = explaining.slice(deciding.length)
  assert.equal(telling.filter((step) => step === costs.explainedPolicy).length, policies.length)
  assert.equal(telling.filter((step) => step > costs.explainedPart).length, policies.length + parts)
})

test('what is told of a decision is what was decided, whatever the policies', () => {
  const rule = fc.tuple(fc.constantFrom('EFFECT_ALLOW' as const, 'EFFECT_DENY' as const), anyExpression)
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), anyFacts, (rules, given) => {
      const policies = rules.map(([effect, condition], at) =>
        compilePolicy({ policyId: `${at}`, effect, condition: print(condition) }, sampleVocabulary),
      )
      const question = { policies, facts: given, approvals: [A], voter: A, everyone: [A], now: NOW }

      const explanation = explainPolicies(question)

      const { evaluations, decision } = decidePolicies(question)
      assert.equal(explanation.decision, decision)
      assert.deepEqual(
        explanation.policies.map(({ policyId, outcome }) => ({ policyId, outcome })),
        evaluations,
      )
      for (const [at, { condition }] of explanation.policies.entries()) {
        const value = policies[at]?.condition?.evaluate(given)
        const result = condition?.result
        assert.ok(result)
        if (typeof value === 'boolean') assert.deepEqual(result, { value: String(value) })
        else assert.ok('problem' in result && result.problem.kind === value?.kind)
      }
    }),
    { numRuns: 1_000 },
  )
})
