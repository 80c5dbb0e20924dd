import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import { costs } from '../base/costs.ts'
import { finished } from '../base/work.ts'
import type { Charter } from './charter.ts'
import { withPolicies } from './policies.ts'
import { withoutVelocityControl } from './velocity-controls.ts'

const [policy] = filledCharter.policies
const [control] = filledCharter.velocityControls

const without = (condition: string): Charter =>
  finished(
    withoutVelocityControl(
      { ...filledCharter, policies: [{ ...policy, condition }] },
      control.velocityControlId,
    ),
  )

test('a policy that names a control keeps it, and one that this version cannot read keeps none', () => {
  assert.throws(() => without('controls.hourly && true'), {
    message: /"hourly" is named by policy "Two sign"/,
  })
  for (const condition of ['controls.hourly &&', "'controls.hourly' == ''", 'controls.daily'])
    assert.deepEqual(without(condition).velocityControls, [])
})

test('the controls that a hundred long policies may name are looked for one policy after the other, and charged', () => {
  const condition = `activity.type == 'controls'${' || true'.repeat(2_000)}`
  const policies = Array.from({ length: 100 }, (_, at) => ({
    ...policy,
    policyId: `${at}`,
    policyName: `${at}`,
    condition,
  }))
  const charter: Charter = { ...filledCharter, policies }
  const all = {
    removing: [...withoutVelocityControl(charter, control.velocityControlId)],
    adding: [...withPolicies({ ...filledCharter, policies: [] }, policies, undefined)],
  }
  for (const [what, steps] of Object.entries(all))
    assert.deepEqual(
      steps,
      Array.from(policies, () => condition.length * costs.parsedCharacter),
      what,
    )
})
