import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../../test/charters/filled-charter.ts'
import { costs } from '../../base/costs.ts'
import { finished } from '../../base/work.ts'
import type { Charter, Policy } from '../../charter/charter.ts'
import { bool, string, struct } from '../../policy/types.ts'
import { type CompiledCharter, compileCharter, policiesFor } from './compiled-charter.ts'

const vocabulary = {
  activity: struct({ action: string }),
  payload: struct({ opaque: bool }),
}
const [policy] = filledCharter.policies

function compiled(charter: Partial<Charter>, earlier?: CompiledCharter): CompiledCharter {
  return finished(compileCharter({ ...filledCharter, ...charter }, vocabulary, { earlier }))
}

test('a policy is read again when a part of it that decides has changed, and only then', () => {
  const earlier = compiled({})
  const withTerms = (terms: Partial<Policy>) => compiled({ policies: [{ ...policy, ...terms }] }, earlier)
  assert.equal(withTerms({ policyName: 'Another', notes: 'new' }).policies[0], earlier.policies[0])
  const { effect, condition, consensus, time } = policy
  for (const [changed, terms] of [
    [{ effect: 'EFFECT_DENY' }, ['EFFECT_DENY', condition, consensus, time]],
    [{ condition: 'true' }, [effect, 'true', consensus, time]],
    [{ consensus: 'true' }, [effect, condition, 'true', time]],
    [{ time: 'time.hour < 9' }, [effect, condition, consensus, 'time.hour < 9']],
  ] as const) {
    const [read] = withTerms(changed).policies
    assert.deepEqual([read?.effect, read?.condition?.text, read?.consensus?.text, read?.time?.text], terms)
  }
})

test('reading a policy is charged by the letters of its expressions, each once', () => {
  const steps = compileCharter(filledCharter, vocabulary)
  let units = 0
  for (let step = steps.next(); step.done !== true; step = steps.next()) units += step.value
  const letters = [policy.condition, policy.consensus, policy.time].join('').length
  assert.equal(units, letters * costs.expressionCharacter)
})

test('while raw signing is guarded, bytes that show nothing are allowed by name only, and denied as ever', () => {
  const conditions = { plain: 'true', named: 'payload.opaque' }
  const policies = (['EFFECT_ALLOW', 'EFFECT_DENY'] as const).flatMap((effect) =>
    Object.entries(conditions).map(([policyId, condition]) => ({ ...policy, policyId, effect, condition })),
  )
  const matching = (features: Charter['features'], facts: Parameters<typeof policiesFor>[1]) =>
    policiesFor(compiled({ policies, features }), facts)
      .filter(({ condition }) => condition?.evaluate(facts) === true)
      .map(({ policyId, effect }) => `${effect} ${policyId}`)
  const guard = [{ name: 'FEATURE_NAME_RAW_SIGNING_GUARD' }]
  const all = ['EFFECT_ALLOW plain', 'EFFECT_ALLOW named', 'EFFECT_DENY plain', 'EFFECT_DENY named']
  const plain = ['EFFECT_ALLOW plain', 'EFFECT_DENY plain']
  assert.deepEqual(matching([], { payload: { opaque: true } }), all)
  assert.deepEqual(matching(guard, { payload: { opaque: true } }), all.slice(1))
  for (const facts of [{ payload: { opaque: false } }, { payload: {} }, {}])
    assert.deepEqual(matching(guard, facts), plain)
})

test('records name a policy by the digest of its own text, and none that the charter has not', () => {
  const { policyDigest } = compiled({ policies: [policy, { ...policy, policyId: 'another' }] })
  assert.equal(policyDigest(policy.policyId), compiled({}).policyDigest(policy.policyId))
  assert.notEqual(policyDigest(policy.policyId), policyDigest('another'))
  assert.throws(() => policyDigest('nobody'), /a policy that counted/)
})
