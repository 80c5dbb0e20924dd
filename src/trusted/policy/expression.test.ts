import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { caseless } from '../base/caseless.ts'
import { countedReads } from '../../../test/support/counted-reads.ts'
import { SOURCE_LENGTH_MAX, STEPS_MAX } from './limits.ts'
import { Failure } from '../base/failure.ts'
import { check } from './check.ts'
import { evaluated, parseExpression, readExpression } from './expression.ts'
import { metersOf } from './meters.ts'
import { parse } from './parse.ts'
import { print } from './print.ts'
import { decisionBudget } from './run.ts'
import { anyExpression, anyFacts, sampleVocabulary } from './testing/arbitrary.ts'
import { anyPast, usageOf } from './testing/history.ts'
import { referenceEvaluate } from './testing/reference.ts'
import type { Tree } from './tree.ts'
import { bool, dynamic, type Facts, int, list, map, string, struct, type Value } from './types.ts'
import { Problem } from './problem.ts'

const vocabulary = {
  activity: struct({ kind: string, params: struct({ user_ids: list(string) }) }),
  wallet: struct({ id: string }),
  tx: struct({ to: string, value: int, data: string, args: map(string) }),
  calls: list(struct({ to: string, amount: int })),
  on: bool,
  sender: string,
  senders: list(string),
  kelvin: string,
  message: map(dynamic),
  greatest: int,
  unread: struct({ kind: string, other: string }),
}

const facts = {
  activity: { kind: 'SIGN', params: { user_ids: ['A', 'B'] } },
  tx: { to: '0xAb', value: 1000n, data: '0xa9059cbb00', args: { name: 'x' } },
  calls: [{ to: 'X', amount: 5n }, { to: 'Y' }],
  on: true,
  sender: caseless('0xabC1'),
  senders: [caseless('0xabC1'), caseless('x'), 'y'],
  kelvin: caseless('\u212a'),
  message: {
    spender: caseless('0xAbc1'),
    value: 5n,
    name: 'name',
    on: true,
    off: false,
    calls: [
      [caseless('0x01'), 1n],
      [caseless('0x01'), 2n],
    ],
    nested: { deep: ['a'] },
  },
  greatest: 2n ** 256n - 1n,
  unread: { kind: new Problem('failed', 'not read'), other: undefined },
}

const values: readonly (readonly [string, boolean | 'missing' | 'failed'])[] = [
  [
    "1 in [1,2,3] && 'abc'[0..2] == 'ab' && [3,1][0] == 3 && [1,1].all(x, x == 1) && [1,2].filter(x, x > 1).count() == 1",
    true,
  ],
  ["activity.kind == 'SIGN'", true],
  ["activity.kind == 'sign'", false],
  ["sender == '0xAbC1' && '0xaBc1' == sender && !(sender != '0XABC1')", true],
  ["sender == '0xabc2' || sender == '0xabc' || sender == ''", false],
  ["sender in ['x', '0xABC1'] && senders.contains('0XABC1') && '0xabc1' in senders", true],
  ["senders.contains('X') || 'x' in senders", true],
  ["senders.contains('Y')", false],
  ["sender[2..6] == 'ABC1' && sender[2] == 'a' && sender[2] == 'A'", true],
  ["CaseInsensitiveString(sender) == '0xabc1' && CaseInsensitiveString(sender) == '0xABC1'", true],
  ["kelvin == 'K'", false],
  // A text is put in lower case as a whole, and compared as it is: nothing is normalized.
  ["CaseInsensitiveString(kelvin) == 'k' && CaseInsensitiveString('Ä') == 'ä'", true],
  ["'\u00e9' == 'e\u0301' || '\uff21' == 'A' || '\u0130' == 'I'", false],
  ["'e\u0301'[0] == 'e' && '\u00e9'[0] != 'e'", true],
  ['007 == 7 && -0 == 0 && [7][00] == 7', true],
  ["!'A' in ['B'] && !!('A' in ['A'])", true],
  ["message['spender'] == '0xaBC1' && message['value'] == 5 && 5 == message['value']", true],
  ["message['value'] == '5'", 'failed'],
  ["message['value'] < 6 && message['value'] in [1, 5]", true],
  ["message['value'] == 1 || true", true],
  ["message['name'] < 6", 'failed'],
  ["message['calls'].all(c, c[0] == '0X01' && c[1] > 0)", true],
  ["message['calls'].any(c, c['target'] == '0x01')", 'failed'],
  ["message['calls'].count() == 2 && message['calls'][0..1].count() == 1", true],
  ["message['calls'] == 'x'", 'failed'],
  ["message['value'].any(c, true)", 'failed'],
  ["message['on'] && !message['off']", true],
  ["message['value'] || true", 'failed'],
  ["!message['value']", 'failed'],
  ["message['nested']['deep'][0] == 'a'", true],
  ["message['nested']['constructor'] == 'a'", 'failed'],
  ["[1, message['value']].contains(5) && message['value'] in [message['value']]", true],
  ["[1, message['name']].contains(5)", 'failed'],
  ["tx.args[message['name']] == 'x'", true],
  ["tx.args[message['value']] == 'x'", 'failed'],
  ["'abc'[message['calls'].count()] == 'c'", true],
  ["CaseInsensitiveString(message['name']) == 'name'", true],
  ["CaseInsensitiveString(message['value']) == 'name'", 'failed'],
  ['greatest == 115792089237316195423570985008687907853269984665640564039457584007913129639935', true],
  ['greatest > 170141183460469231731687303715884105728 && greatest > -1', true],
  ["unread.kind == 'x' || true", 'failed'],
  ["unread.other == 'x'", 'missing'],
  ["CaseInsensitiveString(tx.to) == CaseInsensitiveString('0XaB')", true],
  ["tx.data[0..10] == '0xa9059cbb'", true],
  ["tx.data[0..13] == 'x'", 'failed'],
  ["tx.data[0..4294967296] == '0xa9059cbb00'", 'failed'],
  ["tx.data[4294967296..4294967296] == ''", 'failed'],
  ['[1, 2][0..4294967296].count() == 2', 'failed'],
  ["tx.data[5..5] == ''", true],
  ["'é😀z'[1] == '😀' && 'é😀z'[1..3] == '😀z'", true],
  ["'é😀z'[3] == 'z'", 'failed'],
  ['tx.value <= 1000 && tx.value >= 1000 && !(tx.value < 1000) && !(tx.value > 1000)', true],
  ['-5 < 3 && -170141183460469231731687303715884105728 < 170141183460469231731687303715884105727', true],
  ["activity.params.user_ids[2] == 'C'", 'failed'],
  ["activity.params.user_ids[-1] == 'B'", 'failed'],
  ["activity.params.user_ids[99999999999999999999] == 'B'", 'failed'],
  ['activity.params.user_ids.count == 2 && activity.params.user_ids.count() == 2', true],
  ["activity.params.user_ids.contains('A') && 'B' in activity.params.user_ids", true],
  ["activity.params.user_ids[0..1].all(i, i == 'A')", true],
  ['[].all(x, x == 1) && ![].any(x, x == 1) && [].count() == 0 && !(1 in [])', true],
  ["tx.args['name'] == 'x'", true],
  ["tx.args['other'] == 'x'", 'failed'],
  ["tx.args['constructor'] == 'x'", 'failed'],
  // `!` takes in the comparison after it.
  ["!activity.kind == 'X'", true],
  ['!on == true', false],
  ['false && false || true', true],
  ['true || false && false', true],
  ['[[1, 2], [3]].all(x, x.any(y, y > x[0]) || x.count() == 1)', true],
  ['[1].any(x, [2].any(x, x == 2) && x == 1)', true],
  ['[1].all(activity, activity == 1)', true],
  [`${'('.repeat(63)}on${')'.repeat(63)}`, true],
  // No short circuit, whichever side the problem is on.
  ["wallet.id == 'W1' || true", 'missing'],
  ["true || wallet.id == 'W1'", 'missing'],
  ["false && wallet.id == 'W1'", 'missing'],
  ["calls[0].to == 'X' || calls[7].to == 'X'", 'failed'],
  // A failure counts before a thing that is missing, in either order.
  ["wallet.id == 'W1' && activity.params.user_ids[9] == 'A'", 'failed'],
  ["activity.params.user_ids[9] == 'A' && wallet.id == 'W1'", 'failed'],
  ['wallet.id == activity.params.user_ids[9]', 'failed'],
  // A sender must not be able to make a DENY policy step aside by adding an item that lacks a field.
  ['calls.any(c, c.amount == 5)', 'failed'],
  ["calls.filter(c, c.to == 'X').any(c, c.amount == 5)", true],
]

for (const [text, expected] of values) {
  test(`${text} is ${expected}`, () => {
    const value = parseExpression(text, vocabulary).evaluate(facts)

    assert.equal(value instanceof Problem ? value.kind : value, expected)
  })
}

const refusals: readonly (readonly [string, string])[] = [
  ['', 'parse error: Unrecognized EOF found at 0'],
  ['  ', 'parse error: Unrecognized EOF found at 0'],
  ["activity.kind == 'A' && ", 'parse error: Unrecognized EOF found at 23'],
  ["activity.kind.path == 'x'", 'field does not exist: path (at 0:18)'],
  ["wallet.path == 'x'", 'field does not exist: path (at 0:11)'],
  ["wallet.constructor == 'x'", 'field does not exist: constructor (at 0:18)'],
  ["toString == 'x'", 'keyword does not exist: toString (at 0:8)'],
  ["approvers.any(u, u.id == 'A')", 'keyword does not exist: approvers (at 0:9)'],
  ['tx.to == "0x1"', 'parse error: Invalid token at 9 (strings take single quotes)'],
  ["tx.to == '0x1", 'parse error: Invalid token at 9'],
  ['tx.value + 1 == 2', 'parse error: Invalid token at 9'],
  ['1 == 1 == true', 'parse error: Unrecognized token `==` found at 7:9'],
  ['calls.count( == 2', 'parse error: Unrecognized token `==` found at 13:15'],
  [
    'tx.value <= 0.1',
    'parse error: Unrecognized token `1` found at 14:15 (numbers are whole: write an amount in its smallest unit)',
  ],
  ['on on', 'parse error: Unrecognized token `on` found at 3:5'],
  ['(on', 'parse error: Unrecognized EOF found at 3'],
  ['in', 'parse error: Unrecognized token `in` found at 0:2'],
  ["tx.data[a..2] == ''", 'parse error: Unrecognized token `2` found at 11:12'],
  ["tx.data[1..-2] == ''", 'parse error: Unrecognized token `-2` found at 11:13'],
  ["tx.data[3..2] == ''", 'slice ends before it starts (at 0:13)'],
  [`tx.value == ${2n ** 256n}`, 'parse error: integer out of range at 12:90'],
  [`tx.value == ${-(2n ** 127n) - 1n}`, 'parse error: integer out of range at 12:52'],
  ["tx.to.startsWith('0x')", 'function does not exist: startsWith (at 6:16)'],
  ["Timestamp('2026-01-01T00:00:00Z') == 1", 'type error: cannot compare timestamp with int (at 0:38)'],
  // A deadline in a message is in seconds, and less than each of these milliseconds.
  [
    "message['value'] <= Timestamp('2026-01-01T00:00:00Z')",
    'type error: cannot compare dynamic with timestamp (at 0:53)',
  ],
  [
    "message['value'] in [Timestamp('2026-01-01T00:00:00Z')]",
    'type error: timestamp expected like the items, not dynamic (at 0:16)',
  ],
  [
    "[Timestamp('2026-01-01T00:00:00Z'), message['value']].count() == 2",
    'type error: timestamp expected like the items before, not dynamic (at 36:52)',
  ],
  [
    "[[Timestamp('2026-01-01T00:00:00Z')], message['calls']].count() == 2",
    'type error: list<timestamp> expected like the items before, not dynamic (at 38:54)',
  ],
  ["Duration('1h') == 1", 'function does not exist: Duration (at 0:8)'],
  ['Timestamp(tx.to) == 1', 'parse error: Unrecognized token `tx` found at 10:12'],
  ['tx.value', 'type error: bool expected, not int (at 0:8)'],
  ["tx.value == '1'", 'type error: cannot compare int with string: write 1 without quotes (at 0:15)'],
  ["'-20' < tx.value", 'type error: cannot compare string with int: write -20 without quotes (at 0:16)'],
  ["tx.value == 'one'", 'type error: cannot compare int with string (at 0:17)'],
  ["1 == 1 && on == '1'", 'type error: cannot compare bool with string (at 10:19)'],
  [
    "tx.value in ['1', '2']",
    'type error: string expected like the items, not int: write 1 without quotes (at 0:8)',
  ],
  ["'2' in [1, 2]", 'type error: int expected like the items, not string: write 2 without quotes (at 0:3)'],
  ["tx.to < 'a'", 'type error: int expected, not string (at 0:11)'],
  ['calls == calls', 'type error: values to compare expected, not list<struct> (at 0:14)'],
  ["1 in ['a']", 'type error: string expected like the items, not int (at 0:1)'],
  ["[1, 'a'].count() == 2", 'type error: int expected like the items before, not string (at 4:7)'],
  ['[tx, wallet].count() == 2', 'type error: struct expected like the items before, not struct (at 5:11)'],
  ['tx.to.any(c, on)', 'type error: list expected, not string (at 0:5)'],
  ["tx.args[1] == 'x'", 'type error: string expected, not int (at 8:9)'],
  ["tx.value[0] == 'x'", 'type error: list, map or string expected, not int (at 0:8)'],
  ["calls['x'].to == 'x'", 'type error: int expected, not string (at 6:9)'],
  ['CaseInsensitiveString(1) == tx.to', 'type error: string expected, not int (at 22:23)'],
  ["message['calls'].all(c, c.target == '0x01')", 'field does not exist: target (at 24:32)'],
  ["message['calls'][true] == 1", 'type error: int or string expected, not bool (at 17:21)'],
  ["calls == message['calls']", 'type error: values to compare expected, not list<struct> (at 0:25)'],
  [
    "[1, message['x'], 'a'].count() == 3",
    'type error: int expected like the items before, not string (at 18:21)',
  ],
  ['calls.any(c, c.amount)', 'type error: bool expected, not int (at 13:21)'],
  ['calls.any(c, on) && c.amount == 1', 'keyword does not exist: c (at 20:21)'],
]

for (const [text, reason] of refusals) {
  test(`${text === '' ? 'an empty text' : text} is refused at its place`, () => {
    assert.throws(() => parseExpression(text, vocabulary), {
      name: 'Failure',
      message: `Expression cannot be evaluated: ${reason}`,
    })
  })
}

const tooMuch: readonly (readonly [string, string])[] = [
  // One fewer is read, as the values above say.
  ['parentheses', `${'('.repeat(64)}on${')'.repeat(64)}`],
  ['unclosed parentheses', '('.repeat(16_000)],
  ['negations', `${'!'.repeat(16_000)}on`],
  ['brackets', `${'['.repeat(16_000)}`],
  ['links', `tx${'.to'.repeat(5_000)} == 'x'`],
  ['indices', `calls${'[0]'.repeat(5_000)} == 'x'`],
  ['list functions', `${'[1].any(x, '.repeat(1_400)}true${')'.repeat(1_400)}`],
  ['100 kB', 'on && '.repeat(17_000)],
  ['100 kB of one string', `'${'x'.repeat(100_000)}' == ''`],
  ['an integer of 16,000 digits', `1${'0'.repeat(16_000)} == 1`],
]

for (const [what, text] of tooMuch) {
  test(`too much of ${what} is refused, and no part of it is read again and again`, (t) => {
    const tokens = t.mock.method(RegExp.prototype, 'exec')
    const characters = t.mock.method(String.prototype, 'charAt')
    assert.throws(() => parseExpression(text, vocabulary), Failure)
    const read = tokens.mock.callCount() + characters.mock.callCount()
    assert.ok(read < 4 * SOURCE_LENGTH_MAX, `${read} looks at a text of ${text.length} characters`)
  })
}

test('the longest chain of operators that fits is read and evaluated', () => {
  const text = 'on||'.repeat(4_095).concat('on')

  assert.equal(parseExpression(text, vocabulary).evaluate(facts), true)
})

test('lists inside lists end at the bound of steps, and that is a failure', () => {
  const numbers = Array.from({ length: 1_000 }, (_, at) => BigInt(at))
  const text = 'n.any(a, n.any(b, n.any(c, a == b && b == c)))'
  const expression = parseExpression(text, { n: list(int) })

  const { counted, reads } = countedReads(numbers)
  const value = expression.evaluate({ n: counted })

  assert.ok(value instanceof Problem && value.kind === 'failed' && value.reason.startsWith('more than'))
  assert.ok(reads() < 2 * STEPS_MAX, `${reads()} reads`)
})

test('a text of the greatest length is read, and one that is longer is refused', () => {
  const longest = 'on'.padEnd(SOURCE_LENGTH_MAX)
  assert.equal(parseExpression(longest, vocabulary).evaluate(facts), true)
  assert.throws(() => parseExpression(`${longest} `, vocabulary), /longer than 16384 characters/)
})

test('looking for a long text in a list costs steps for each text of its length', () => {
  const expression = parseExpression('s in l', { s: string, l: list(string) })
  const steps = (given: Facts): number => {
    const budget = decisionBudget()
    assert.equal(expression.evaluate(given, budget), true)
    return decisionBudget().steps - budget.steps
  }
  const text = 'x'.repeat(640)
  const short = steps({ s: 'x', l: ['x', 'y', 'x'] })
  assert.equal(steps({ s: text, l: [text, 'y', text] }), short + 2 * 10)
  assert.equal(steps({ s: caseless(text), l: [text, 'y', text] }), short + 2 * 40)
  assert.equal(steps({ s: text, l: [caseless(text), 'y', text] }), short + 40 + 10)

  // One for each item of the list, whatever it holds.
  assert.equal(steps({ s: 'x', l: ['x', 'y', 'x', 'z', 'z'] }), short + 2)

  const tooFew = { steps: short + 19 }
  const value = expression.evaluate({ s: text, l: [text, 'y', text] }, tooFew)
  assert.ok(value instanceof Problem && value.reason.startsWith('more than'))
})

test('comparing long texts costs steps for their length, and fails where none are left', () => {
  const expression = parseExpression('s == t', { s: string, t: string })
  const text = 'x'.repeat(640)
  const steps = (s: Value, t: Value): number => {
    const budget = decisionBudget()
    assert.equal(expression.evaluate({ s, t }, budget), true)
    return decisionBudget().steps - budget.steps
  }
  const short = steps('x', 'x')
  assert.equal(steps(text, text), short + 10)
  assert.equal(steps(caseless(text), text), short + 40)

  const value = expression.evaluate({ s: text, t: text }, { steps: short + 9 })
  assert.ok(value instanceof Problem && value.reason.startsWith('more than'))
})

test('a part of a list costs steps for each of its items, wherever it begins', () => {
  const steps = (from: number, to: number): number => {
    const budget = decisionBudget()
    const expression = parseExpression(`l[${from}..${to}].count() >= 0`, { l: list(int) })
    assert.equal(expression.evaluate({ l: Array.from({ length: 9 }, () => 0n) }, budget), true)
    return decisionBudget().steps - budget.steps
  }
  assert.equal(steps(4, 9), steps(0, 5))
  assert.equal(steps(4, 9), steps(4, 4) + 5)
})

test('a failure ends a list function: the items after it cost no steps', () => {
  const steps = (items: readonly bigint[]): number => {
    const budget = decisionBudget()
    const value = parseExpression("l.any(n, 'ab'[n] == 'a')", { l: list(int) }).evaluate({ l: items }, budget)
    assert.ok(value instanceof Problem && value.reason.startsWith('index out of range'))
    return decisionBudget().steps - budget.steps
  }
  assert.equal(steps([0n, 9n, 0n, 1n, 9n]), steps([0n, 9n]))
})

test('taking a text without regard to case costs steps for its length', () => {
  const expression = parseExpression("CaseInsensitiveString(s) == 'y'", { s: string })
  const steps = (s: string): number => {
    const budget = decisionBudget()
    assert.equal(expression.evaluate({ s }, budget), false)
    return decisionBudget().steps - budget.steps
  }
  assert.equal(steps('x'.repeat(6_400)) - steps('x'.repeat(640)), 9 * (steps('x'.repeat(640)) - steps('x')))
  assert.ok(steps('x'.repeat(640)) >= steps('x') + 10)
})

test('an evaluation with as many steps as it takes comes to its value, and with one fewer it fails', () => {
  let compared = 0
  fc.assert(
    fc.property(anyExpression, anyFacts, (tree, given) => {
      const evaluate = evaluated(tree)
      const budget = decisionBudget()
      const value = evaluate(given, budget, () => 0n)
      const taken = decisionBudget().steps - budget.steps

      const exact = { steps: taken }
      assert.deepEqual(
        evaluate(given, exact, () => 0n),
        value,
      )
      assert.equal(exact.steps, 0)
      if (value instanceof Problem) return
      compared += 1
      const short = evaluate(given, { steps: taken - 1 }, () => 0n)
      assert.ok(short instanceof Problem && short.kind === 'failed' && short.reason.startsWith('more than'))
    }),
    { numRuns: 500 },
  )
  assert.ok(compared > 50, `${compared} of them had a value`)
})

test('nesting counts depth, not how much there is', () => {
  const text = Array.from({ length: 200 }, () => '(!(on) || [on][0])').join(' && ')

  assert.equal(parseExpression(text, vocabulary).evaluate(facts), true)
})

test('what every object has in JavaScript is not a fact', () => {
  const text = "constructor.name == 'Object'"
  const value = parseExpression(text, { constructor: struct({ name: string }) }).evaluate({})

  assert.ok(value instanceof Problem && value.kind === 'missing')
})

test('a stored text that no longer fits is no expression, and a bug in reading it is not taken for that', () => {
  assert.equal(readExpression('on', vocabulary)?.evaluate(facts), true)
  assert.equal(readExpression('gone', vocabulary), undefined)
  const broken = Object.defineProperty({}, 'on', { get: () => assert.fail('a bug') })
  assert.throws(() => readExpression('on', broken), /a bug/)
})

test('a name of 64 characters is quoted whole, and a longer one is cut there', () => {
  const name = 'x'.repeat(64)
  for (const [text, quoted] of [
    [name, name],
    [`${name}y`, `${name}…`],
  ] as const)
    assert.throws(() => parseExpression(text, vocabulary), {
      message: `Expression cannot be evaluated: keyword does not exist: ${quoted} (at 0:${text.length})`,
    })
})

test('a message quotes at most a line of what was sent', () => {
  for (const text of [`on '${'x'.repeat(9_000)}'`, 'x'.repeat(9_000), `tx.${'x'.repeat(9_000)} == 1`]) {
    assert.throws(
      () => parseExpression(text, vocabulary),
      (error) => error instanceof Failure && error.message.length < 200,
    )
  }
})

test('an int below 128 bits with sign or above 256 without is a failure as soon as it is compared', () => {
  for (const text of ['n == 1', '1 != n', 'n in [1]', 'm.contains(1)']) {
    const value = parseExpression(text, { n: int, m: list(int) }).evaluate({
      n: 2n ** 256n,
      m: [1n, -(2n ** 127n) - 1n],
    })

    assert.ok(value instanceof Problem && value.kind === 'failed', text)
  }
})

test('a fact of another type than was declared is a failure, never a value', () => {
  const text = "n == 1 || s == 'x' || b || l.count() == 0 || t.f"
  const item = { n: int, s: string, b: bool, l: list(int), t: struct({ f: bool }) }
  const wrong = [{ n: 'x' }, { s: 1n }, { b: 'true' }, { l: 'list' }, { t: [] }, { t: { f: 1n } }]
  for (const override of wrong) {
    const value = parseExpression(text, item).evaluate({
      n: 1n,
      s: '',
      b: true,
      l: [],
      t: { f: true },
      ...override,
    })

    assert.ok(value instanceof Problem && value.kind === 'failed', JSON.stringify(Object.keys(override)))
  }
})

test('printing a tree and reading it gives the same tree', () => {
  fc.assert(
    fc.property(anyExpression, (tree) => {
      assert.deepEqual(spanless(parse(print(tree))), spanless(tree))
    }),
    { numRuns: 2_000 },
  )
})

test('a span covers the text that its part was read from', () => {
  fc.assert(
    fc.property(anyExpression, (tree) => {
      const text = ` ${print(tree)} `
      const read = parse(text)

      assert.deepEqual(spanless(parse(text.slice(read.span.start, read.span.end))), spanless(tree))
    }),
    { numRuns: 500 },
  )
})

test('evaluation agrees with the plain meaning of every expression', () => {
  const seen = { true: 0, false: 0, missing: 0, failed: 0 }
  fc.assert(
    fc.property(anyExpression, anyFacts, anyPast, (generated, givenFacts, past) => {
      const tree = parse(print(generated))
      check(tree, sampleVocabulary)

      const value = evaluated(tree)(givenFacts, decisionBudget(), usageOf(metersOf(tree), past))

      const result = value instanceof Problem ? value.kind : value
      assert.equal(result, referenceEvaluate(generated, givenFacts, past))
      seen[`${result}`] += 1
    }),
    { numRuns: 8_000 },
  )
  for (const [result, count] of Object.entries(seen)) assert.ok(count > 200, `${result} seen ${count} times`)
})

test('&& and || do not care about the order of their sides', () => {
  fc.assert(
    fc.property(
      anyExpression,
      anyExpression,
      anyFacts,
      fc.constantFrom('&&', '||'),
      (a, b, givenFacts, operator) => {
        const outcome = (left: Tree, right: Tree): unknown => {
          const text = `(${print(left)}) ${operator} (${print(right)})`
          const value = parseExpression(text, sampleVocabulary).evaluate(givenFacts)
          return value instanceof Problem ? value.kind : value
        }

        assert.equal(outcome(a, b), outcome(b, a))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('any text is an expression or a failure, never a bug', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), anyTokens()), readsOrFails), {
    numRuns: 5_000,
  })
})

test('a damaged expression is an expression or a failure, never a bug', () => {
  const damaged = fc
    .tuple(
      anyExpression,
      fc.nat(),
      fc.nat(6),
      fc.oneof(fc.constant(''), fc.string({ maxLength: 4 }), anyTokens()),
    )
    .map(([tree, position, length, insert]) => {
      const text = print(tree)
      const at = position % (text.length + 1)
      return text.slice(0, at) + insert + text.slice(at + length)
    })
  fc.assert(fc.property(damaged, readsOrFails), { numRuns: 5_000 })
})

function readsOrFails(text: string): void {
  try {
    parseExpression(text, sampleVocabulary).evaluate({})
  } catch (error) {
    assert.ok(error instanceof Failure && error.kind === 'expressionInvalid')
    assert.ok(error.message.startsWith('Expression cannot be evaluated: '))
    assert.ok(error.message.length < 300)
  }
}

function anyTokens(): fc.Arbitrary<string> {
  const words = 'items numbers activity params x any all filter contains count in true'.split(' ')
  const symbols = "( ) [ ] . .. , ! && || == < 1 -1 'a' '".split(' ')
  const token = fc.constantFrom(...words, ...symbols)
  return fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' '))
}

function spanless(tree: Tree): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value) =>
      key === 'span' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
    ),
  )
}
