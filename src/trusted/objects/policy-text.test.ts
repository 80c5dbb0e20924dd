import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import { finished } from '../base/work.ts'
import type { Policy } from '../charter/charter.ts'
import { policyDigest, policyText } from '../charter/policy-text.ts'
import { textsOfChange } from './policy-text.ts'

const [policy]: readonly [Policy, ...Policy[]] = [filledCharter.policies[0]]

test('each text that an amendment brings or takes is stored once, and none whose policy is only called otherwise', () => {
  const kept: Policy = { ...policy, policyId: 'kept' }
  const changed: Policy = { ...policy, condition: 'false' }
  const stored = (before: readonly Policy[], after: readonly Policy[]) =>
    finished(
      textsOfChange({ ...filledCharter, policies: before }, { ...filledCharter, policies: after }),
    ).map(({ objectId, body }) => [objectId, JSON.parse(body)])
  const textOf = (of: Policy) => [policyDigest(of), policyText(of)]
  assert.deepEqual(stored([kept], [kept, policy]), [textOf(policy)])
  // A policy from before texts were stored has none yet when it goes.
  assert.deepEqual(stored([kept, policy], [kept]), [textOf(policy)])
  assert.deepEqual(stored([policy, kept], [changed, kept]), [textOf(policy), textOf(changed)])
  assert.deepEqual(stored([policy, kept], [{ ...policy, policyName: 'Another', notes: '' }, kept]), [])
})
