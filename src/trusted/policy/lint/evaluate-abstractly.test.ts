import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evaluated } from '../expression.ts'
import { parse } from '../parse.ts'
import { print } from '../print.ts'
import { anyExpression, anyFacts } from '../testing/arbitrary.ts'
import type { Facts, Value } from '../types.ts'
import { isFields } from '../values.ts'
import { Problem } from '../problem.ts'
import { canBe, type AbstractResult, evaluateAbstractly, isCertainly } from './evaluate-abstractly.ts'
import { anything, fields, oneOf, type AbstractValue, type AbstractFacts } from './abstract-request.ts'

const signs: AbstractFacts = {
  activity: fields({
    kind: oneOf('SIGN_RAW_PAYLOAD'),
    type: oneOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'),
  }),
  payload: fields({ opaque: oneOf(true) }),
  wallet: fields({ id: anything }),
  wallets: anything,
  mixed: oneOf(1n, 'x'),
}

const told = (outlook: AbstractResult): string => {
  const values = [canBe(true, outlook) ? 'true' : '', canBe(false, outlook) ? 'false' : '']
  return [...values, outlook.mayLack ? 'none' : ''].filter((text) => text !== '').join(' ')
}

test('an abstract evaluation knows what the abstract request tells, and nothing else', () => {
  for (const [text, expected] of [
    ['payload.opaque', 'true'],
    ['!payload.opaque || payload.opaque != true', 'false'],
    ["activity.kind == 'SIGN_RAW_PAYLOAD'", 'true'],
    ["activity.kind in ['SIGN_TRANSACTION', 'CREATE_USERS']", 'false'],
    ["activity.type == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'", 'true false'],
    ["wallet.id == 'W'", 'true false none'],
    ["eth.tx.to == 'x'", 'none'],
    ["payload.opaque || eth.tx.to == 'x'", 'none'],
    ["activity.kind == 'X' && wallet.id == 'W'", 'false none'],
    ["wallets.any(w, activity.kind == 'X')", 'false none'],
    ["wallets.all(w, w.id == 'W')", 'true false none'],
    ['wallets.filter(w, eth.tx.value == 1).count() == 0', 'true false none'],
    ["eth.tx.calls.filter(c, c.to == 'x').count() == 0", 'none'],
    ["CaseInsensitiveString(activity.kind) == 'SIGN_RAW_PAYLOAD'", 'false'],
    ["CaseInsensitiveString(activity.kind) in ['sign_raw_payload']", 'true'],
    ['1 in [1, 2] && [1].count() > 0', 'true false none'],
    // A value of another type cannot be compared.
    ['1 in [1, mixed]', 'true none'],
    ['2 in [1, mixed]', 'false none'],
    ['mixed == 1', 'true none'],
    ['payload.opaque || activity.kind == 1', 'none'],
    // A text has no fields.
    ["payload.opaque || activity.kind.path == 'x'", 'none'],
    ["usage.count('1h', wallet.id) < 5", 'true false none'],
    ["usage.count('1h', eth.tx.to) < 5", 'none'],
  ])
    assert.equal(told(evaluateAbstractly(parse(text ?? ''), signs)), expected, text)
})

test('what is certain is told apart from what is possible', () => {
  assert.equal(isCertainly(true, evaluateAbstractly(parse('payload.opaque'), signs)), true)
  assert.equal(
    isCertainly(true, evaluateAbstractly(parse("payload.opaque && wallet.id == 'W'"), signs)),
    false,
  )
  assert.equal(isCertainly(false, evaluateAbstractly(parse('payload.opaque == false'), signs)), true)
})

test('each result of an expression is one that its abstract evaluation allows, from any part of the facts', () => {
  fc.assert(
    fc.property(anyExpression, anyFacts, fc.infiniteStream(fc.nat(3)), (tree, facts, forgetting) => {
      const known = partlyKnown(facts, () => forgetting.next().value !== 0)
      const outlook = evaluateAbstractly(tree, { ...known, usage: anything })
      const result = evaluated(tree)(facts)
      const isExpected = result instanceof Problem ? outlook.mayLack : canBe(result, outlook)
      assert.ok(isExpected, `${print(tree)} is ${JSON.stringify(result)}, not ${told(outlook)}`)
    }),
    { numRuns: 3_000 },
  )
})

/** What is remembered of the facts. */
function partlyKnown(facts: Facts, remembers: () => boolean): AbstractFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      value === undefined ? undefined : abstractValue(value, remembers),
    ]),
  )
}

function abstractValue(value: Value | Problem, remembers: () => boolean): AbstractValue {
  if (value instanceof Problem || !remembers()) return anything
  if (typeof value !== 'object') return oneOf(value)
  return isFields(value) ? fields(partlyKnown(value, remembers)) : anything
}
