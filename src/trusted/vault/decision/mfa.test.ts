import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../../test/charters/filled-charter.ts'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import type { User } from '../../charter/charter.ts'
import { compileAtOnce } from '../charters/compiled-charter.ts'
import { mfaNote } from './mfa.ts'

const DIGITS = Array.from({ length: 100 }, (_, at) => at % 10)

/** The cost of asking whether an MFA policy with this condition applies to so many actions of a request. */
function costOf(condition: string, actions: number): number {
  const [someone] = filledCharter.users
  const [policy] = someone.mfaPolicies
  const user: User = { ...someone, mfaPolicies: [{ ...present(policy, 'an MFA policy'), condition }] }
  const facts = Array.from({ length: actions }, () => ({}))
  const steps = mfaNote(user, facts, [], compileAtOnce(filledCharter, {}))
  let cost = 0
  for (let step = steps.next(); step.done !== true; step = steps.next()) cost += step.value
  return cost
}

test('a condition of an MFA policy costs its steps for each action of a request, as policies do', () => {
  const forEach = (items: readonly number[]): number => {
    const condition = `[${items}].any(x, x > 10)`
    return costOf(condition, 3) - costOf(condition, 2)
  }
  const [few, many] = [forEach(DIGITS.slice(0, 1)), forEach(DIGITS)]
  const items = DIGITS.length * costs.expressionStep
  assert.ok(few > costs.policy && few < costs.policy + items, String(few))
  assert.ok(many > items && many < costs.policy + 10 * items, String(many))
})
