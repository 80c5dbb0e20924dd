import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../../test/charters/filled-charter.ts'
import { finished } from '../../base/work.ts'
import type { Charter } from '../../charter/charter.ts'
import { compileCharter } from './compiled-charter.ts'

// Another host may have deleted the control, and made one of the same identifier, between two charters that this one
// was shown.
test('a policy that stayed as it is is read again where a control that it names is another one', () => {
  const [policy] = filledCharter.policies
  const [control] = filledCharter.velocityControls
  const withLimit = (expression: string): Charter => ({
    ...filledCharter,
    policies: [{ ...policy, condition: 'controls.hourly' }],
    velocityControls: [{ ...control, expression }],
  })
  const earlier = finished(compileCharter(withLimit("usage.count('1h') <= 10"), {}))
  const later = finished(compileCharter(withLimit("usage.count('1d') <= 10"), {}, { earlier }))
  const windows = [earlier, later].map(({ meters }) => meters.map(({ windowMs }) => windowMs / 3_600_000))
  assert.deepEqual(windows, [[1], [24]])
  const same = finished(compileCharter(withLimit("usage.count('1d') <= 10"), {}, { earlier: later }))
  assert.equal(same.policies[0], later.policies[0])
})
