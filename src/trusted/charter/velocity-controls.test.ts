import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import type { Charter } from './charter.ts'
import { withoutVelocityControl } from './velocity-controls.ts'

const [policy] = filledCharter.policies
const [control] = filledCharter.velocityControls

const without = (condition: string): Charter =>
  withoutVelocityControl(
    { ...filledCharter, policies: [{ ...policy, condition }] },
    control.velocityControlId,
  )

test('a policy that names a control keeps it, and one that this version cannot read keeps none', () => {
  assert.throws(() => without('controls.hourly && true'), {
    message: /"hourly" is named by policy "Two sign"/,
  })
  for (const condition of ['controls.hourly &&', "'controls.hourly' == ''", 'controls.daily'])
    assert.deepEqual(without(condition).velocityControls, [])
})
