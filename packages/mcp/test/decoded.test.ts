import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodedIn } from '../src/decoded.ts'
import type { Judgement, Part } from '../src/explanation.ts'

/** The judgement of the draft that shows what is read, of a payment of 7 wei. */
function drafted(more: Partial<Part> = {}): Judgement {
  const at = { start: 0, end: 0, parts: [] }
  const value: Part = { ...at, kind: 'field', text: 'eth.tx.value', result: { value: '7' } }
  const other: Part = { ...at, kind: 'field', text: 'eth.tx.to', result: { value: "''" }, ...more }
  const whole: Part = { ...at, kind: 'or', text: '', result: { value: 'true' }, parts: [value, other] }
  const condition = { text: '', whole }
  return {
    decision: 'deny',
    deniedBy: [],
    voters: [],
    policyEvaluations: [],
    explanations: [{ policies: [{ policyId: 'draft-1', effect: 'EFFECT_DENY', outcome: '', condition }] }],
  }
}

test('what is read is told as a whole or not at all: a part without room is not passed over', () => {
  assert.deepEqual(decodedIn(drafted())?.fields['eth.tx.value'], {
    units: '7 wei',
    coins: '0.000000000000000007 ether',
  })
  assert.equal(decodedIn(drafted({ isCut: true })), undefined)
})
