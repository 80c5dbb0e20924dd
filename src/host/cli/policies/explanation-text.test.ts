import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExplainedPart, Explanation } from '../../../trusted/policy/explain.ts'
import { explanationText } from './explanation-text.ts'
import { onOneLine, printable } from './printable.ts'

function part(
  kind: ExplainedPart['kind'],
  text: string,
  value: string,
  parts: readonly ExplainedPart[] = [],
) {
  return { kind, start: 0, end: text.length, text, result: { value }, parts }
}

function explanation(whole: ExplainedPart): Explanation {
  const { text, result } = whole
  const policy = { policyId: 'p', effect: 'EFFECT_ALLOW', outcome: 'OUTCOME_DENY_IMPLICIT' } as const
  const condition = { text, result, whole }
  return { decision: 'none', deniedBy: [], policies: [{ ...policy, condition, time: { text: 'false' } }] }
}

const lines = (whole: ExplainedPart) => explanationText(explanation(whole), () => 'Ada signs (p)')

test('each subexpression stands on a line of its own, further in, with its value in one column', () => {
  const name = part('name', 'wallet', "{id: 'x'}")
  const field = part('field', 'wallet.id', "'x'", [name])
  const literal = part('literal', "'y'", "'y'")
  assert.deepEqual(lines(part('comparison', "wallet.id\n  == 'y'", 'false', [field, literal])), [
    '',
    'OUTCOME_DENY_IMPLICIT  EFFECT_ALLOW  Ada signs (p)',
    '  condition: false',
    "    wallet.id == 'y'  false",
    "      wallet.id       'x'",
    '  time: not asked',
    '    false',
  ])
})

test('nothing is cut: what is too long for the column has its value on the next line, and what was left out is said', () => {
  const long = `'${'x'.repeat(5_000)}'`
  const short = { ...part('any', 'a.any(x, x)', 'true'), isCut: true as const }
  const text = lines(part('comparison', `${long} == b`, 'true', [short])).slice(3, -2)
  assert.deepEqual(text, [
    `    ${long} == b`,
    `${' '.repeat(19)}true`,
    '      a.any(x, x)  true',
    '        …          more parts than an explanation has room for',
  ])
})

test('an item, and why there is no value, are told', () => {
  const item = { name: 'u', value: "{id: 'x'}" }
  const problem = { kind: 'failed', reason: 'no such key (at 3:4)' } as const
  const told = { ...part('index', "u['k']", ''), item, result: { problem } }
  assert.equal(
    lines(part('any', 'a', 'false', [told]))[4],
    "      u = {id: 'x'}: u['k']  no value: no such key (at 3:4)",
  )
})

test('nothing of an explanation gives a terminal an order, and texts in quotes keep their spaces', () => {
  assert.equal(printable('a\u001b[2Jb\nc\u202ed\u0085'), 'a\\u001b[2Jb\\nc\\u{202e}d\\u{85}')
  assert.equal(onOneLine("a  ==\n 'b  \n c'"), "a == 'b  \\n c'")
})
