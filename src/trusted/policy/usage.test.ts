import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseless } from '../base/caseless.ts'
import { costs } from '../base/costs.ts'
import { compilePolicy } from './compile-policy.ts'
import { parseCondition } from './condition.ts'
import { decisionSteps } from './decide.ts'
import { parseExpression } from './expression.ts'
import { decisionBudget, type Usage } from './run.ts'
import { distinctMeters } from './meters.ts'
import { A, allow, NOW } from './testing/members.ts'
import { dynamic, type Facts, int, list, map, string, struct, type Vocabulary } from './types.ts'
import { Problem } from './problem.ts'

const vocabulary: Vocabulary = {
  activity: struct({ action: string }),
  tx: struct({ to: string, value: int, args: map(dynamic), outputs: list(struct({ value: int })) }),
  account: struct({ address: string }),
}
const facts: Facts = {
  activity: { action: 'SIGN' },
  tx: { to: caseless('0xAb'), value: 40n, args: { amount: 7n, name: 'n', less: -1n }, outputs: [] },
  account: { address: '0xFf' },
  usage: { user: 'A' },
}
const HOUR_MS = 3_600_000

function evaluate(text: string, usage?: Usage, of: Facts = facts): unknown {
  const value = parseCondition(text, vocabulary).evaluate(of, decisionBudget(), usage)
  return value instanceof Problem ? value.kind : value
}

test('a sum is what was used before and the present request', () => {
  assert.equal(
    evaluate("usage.sum(tx.value, '24h') <= 100", () => 60n),
    true,
  )
  assert.equal(
    evaluate("usage.sum(tx.value, '24h') <= 100", () => 61n),
    false,
  )
  assert.equal(
    evaluate("usage.sum(tx.args['amount'], '24h') == 7", () => 0n),
    true,
  )
})

test('a count is how often before, and this time', () => {
  assert.equal(
    evaluate("usage.count('1h') <= 3", () => 2n),
    true,
  )
  assert.equal(
    evaluate("usage.count('1h') <= 3", () => 3n),
    false,
  )
})

test('both are counted apart by the strings after the window', () => {
  const asked: string[] = []
  const usage: Usage = (key) => BigInt(asked.push(key))
  evaluate(
    "usage.sum(tx.value, '24h', account.address) > usage.sum(tx.value, '24h', tx.to, usage.user)",
    usage,
  )
  evaluate("usage.count('1d') == 1 && usage.count('90m', activity.action) == 1", usage)

  assert.deepEqual(
    asked.map((key) =>
      JSON.parse(key).map((part: string, at: number) => (at === 0 ? JSON.parse(part) : part)),
    ),
    [
      [['sum(tx.value, account.address)', 24 * HOUR_MS], '0xFf'],
      // Addresses that are one count as one.
      [['sum(tx.value, tx.to, usage.user)', 24 * HOUR_MS], '0xab', 'A'],
      [['count()', 24 * HOUR_MS]],
      [['count(activity.action)', 1.5 * HOUR_MS], 'SIGN'],
    ],
  )
})

test('a condition that asks the same twice has one meter', () => {
  const { meters } = parseCondition("usage.count('1h') < 5 && usage.count('60m') > 0", vocabulary)
  assert.equal(meters.length, 1)
})

test('a meter is the same however it is written, and says what a request uses', () => {
  const item = parseCondition("usage.sum( (tx.value),'24h' ,tx.to) > 1 && tx.value > 2", vocabulary).meters
  const other = parseCondition(
    "usage.sum(tx.value, '1d', tx.to) <= 7 || usage.count('1d') > 3",
    vocabulary,
  ).meters
  const meters = distinctMeters([...item, ...other])

  assert.deepEqual(
    meters.map(({ text, windowMs }) => [text, windowMs]),
    [
      ['sum(tx.value, tx.to)', 24 * HOUR_MS],
      ['count()', 24 * HOUR_MS],
    ],
  )
  const uses = meters.map(({ use }) => use(facts, decisionBudget()))
  assert.deepEqual(
    uses.map((use) => (use instanceof Problem ? use : [use.by, use.amount])),
    [
      [['0xab'], 40n],
      [[], 1n],
    ],
  )
  assert.deepEqual(
    item[0]?.use({ usage: { user: 'A' } }, decisionBudget()),
    new Problem('missing', 'this activity has no tx (at 12:14)'),
  )
})

for (const [text, kind] of [
  ["usage.sum(tx.args['less'], '1h') < 100", 'failed'],
  ["usage.sum(-1, '1h') < 100", 'failed'],
  ["usage.sum(tx.args['name'], '1h') < 100", 'failed'],
  ["usage.sum(tx.outputs[0].value, '1h') < 100", 'failed'],
  ["usage.count('1h', tx.args['amount']) < 100", 'failed'],
  ["usage.count('1h', tx.args['long']) < 100", 'failed'],
  // Nothing is skipped.
  ["true || usage.count('1h', tx.args['gone']) < 100", 'failed'],
] as const) {
  test(`${text} is ${kind}`, () => {
    const args = { amount: 7n, name: 'n', less: -1n, long: 'x'.repeat(257) }
    const of = { ...facts, tx: { value: 40n, args, outputs: [] } }

    assert.equal(
      evaluate(text, () => 0n, of),
      kind,
    )
  })
}

test('without knowing what was used before, a limit has no value', () => {
  assert.equal(evaluate("usage.count('1h') < 100"), 'failed')
  assert.equal(
    evaluate("usage.count('1h') < 100", () => undefined),
    'failed',
  )
})

test('what was used beyond what the language can compare is a failure', () => {
  assert.equal(
    evaluate("usage.sum(tx.value, '1h') < 100", () => 2n ** 256n - 1n),
    'failed',
  )
})

const refusals: readonly (readonly [string, string])[] = [
  ["usage.sum(tx.value, '32d') < 1", "not a duration of up to 31 days, such as 1d12h30m: '32d' (at 20:25)"],
  ["usage.sum(tx.value, '') < 1", "not a duration of up to 31 days, such as 1d12h30m: '' (at 20:22)"],
  ['usage.sum(tx.value) < 1', 'parse error: Unrecognized token `)` found at 18:19'],
  ['usage.count(tx.to) < 1', 'parse error: Unrecognized token `tx` found at 12:14'],
  ["usage.count('1h', tx.value) < 1", 'type error: string expected, not int (at 18:26)'],
  ["usage.sum(tx.to, '1h') < 1", 'type error: int expected, not string (at 10:15)'],
  ['usage.count() < 1', 'type error: list expected, not struct (at 0:5)'],
  ['usage.count < 1', 'type error: list expected, not struct (at 0:5)'],
  ["usage.average(tx.value, '1h') < 1", 'function does not exist: average (at 6:13)'],
  ["tx.outputs.sum('1h') < 1", 'function does not exist: sum (at 11:14)'],
  ["tx.outputs.count('1h') < 1", "parse error: Unrecognized token `'1h'` found at 17:21"],
  ["tx.count('1h') < 1", "parse error: Unrecognized token `'1h'` found at 9:13"],
  ["tx.usage.count('1h') < 1", "parse error: Unrecognized token `'1h'` found at 15:19"],
  ["tx.usage.sum(1, '1h') < 1", 'function does not exist: sum (at 9:12)'],
  [
    "tx.outputs.all(o, usage.sum(o.value, '1h') < 1)",
    'usage cannot be asked inside a list function (at 18:42)',
  ],
  ["[1].any(usage, usage.count('1h') < 1)", 'usage cannot be asked inside a list function (at 15:32)'],
  ["usage.sum(usage.count('1h'), '1h') < 1", 'usage cannot be asked inside usage (at 10:27)'],
  ["usage.gone == 'x'", 'field does not exist: gone (at 0:10)'],
  [
    "usage.count('1h', 'a', 'b', 'c', 'd', 'e') < 1",
    'parse error: usage counted by more than 4 strings (at 0:42)',
  ],
  [
    Array.from({ length: 9 }, () => "usage.count('1h') < 1").join(' && '),
    'parse error: usage more than 8 times (at 200:217)',
  ],
]

for (const [text, reason] of refusals) {
  test(`${text} is refused at its place`, () => {
    assert.throws(() => parseCondition(text, vocabulary), {
      name: 'Failure',
      message: `Expression cannot be evaluated: ${reason}`,
    })
  })
}

test('usage may be counted by four strings', () => {
  assert.equal(
    evaluate("usage.count('1h', 'a', 'b', 'c', 'd') < 2", () => 0n),
    true,
  )
})

test('only the condition of a policy may limit', () => {
  assert.throws(() => parseExpression("usage.count('1h') < 1", vocabulary), {
    message: 'Expression cannot be evaluated: keyword does not exist: usage (at 0:17)',
  })
})

test('a variable named usage is a variable', () => {
  assert.equal(evaluate('[[1, 2]].any(usage, usage.count() == 2 && usage.count == 2)'), true)
})

test('a decision is charged with each limit that it is asked about', () => {
  const costOf = (condition: string): number => {
    const policies = [compilePolicy({ policyId: 'P', ...allow(condition) }, vocabulary)]
    const question = { policies, facts, approvals: [A], voter: A, everyone: [A], now: NOW, usage: () => 0n }
    return [...decisionSteps(question)].reduce((sum, cost) => sum + cost, 0)
  }
  const one = "usage.count('1h') < 9"
  const another = costOf(`${one} && usage.count('2h') < 9`) - costOf(`${one} && ${one}`)
  assert.ok(another >= costs.usage && another < 2 * costs.usage, String(another))
})
