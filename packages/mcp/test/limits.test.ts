import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Part } from '../src/explanation.ts'
import { limitsIn } from '../src/limits.ts'

const POLICY = '0198c5a0-7d3c-7000-8000-000000000003'

/** A comparison of a use, of which the present request is one, with a bound of ten, as an explanation shows it. */
function comparison(operator: string, counted: number): Part {
  const [usage, bound] = ["usage.count('1h')", '10']
  const text = `${usage} ${operator} ${bound}`
  const plain = { result: { value: String(counted) }, parts: [] }
  return {
    kind: 'comparison',
    start: 0,
    end: text.length,
    text,
    result: { value: 'true' },
    parts: [
      { ...plain, kind: 'usage', start: 0, end: usage.length, text: usage },
      {
        ...plain,
        kind: 'literal',
        start: text.length - bound.length,
        end: text.length,
        text: bound,
        result: { value: bound },
      },
    ],
  }
}

test('a limit is told to the last piece, whichever way a policy says it', () => {
  for (const [effect, operator, most] of [
    ['EFFECT_ALLOW', '<=', 10],
    ['EFFECT_ALLOW', '<', 9],
    ['EFFECT_DENY', '>', 10],
    ['EFFECT_DENY', '>=', 9],
  ] as const)
    for (const counted of [1, most, most + 1, most + 3]) {
      const whole = comparison(operator, counted)
      const told = limitsIn({
        policyId: POLICY,
        effect,
        outcome: '',
        condition: { text: whole.text, whole },
      })
      const [atMost, used, left] = [most, counted - 1, Math.max(0, most - counted + 1)].map((units) => ({
        units: String(units),
      }))
      assert.deepEqual(
        told.map(({ counts: _counts, window: _window, ...limit }) => limit),
        [{ policyId: POLICY, atMost, used, left, hasRoom: counted <= most }],
        `${operator} ${counted}`,
      )
    }
})

test('what a policy does not limit by a comparison is told as no limit', () => {
  for (const [effect, operator] of [
    ['EFFECT_ALLOW', '>'],
    ['EFFECT_ALLOW', '=='],
    ['EFFECT_DENY', '<'],
    ['EFFECT_DENY', '!='],
  ] as const) {
    const whole = comparison(operator, 5)
    const condition = { text: whole.text, whole }
    assert.deepEqual(limitsIn({ policyId: POLICY, effect, outcome: '', condition }), [])
  }
})
