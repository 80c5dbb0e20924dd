import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costs } from '../../base/costs.ts'
import { finished } from '../../base/work.ts'
import { parseExpression, type Expression } from '../../policy/expression.ts'
import { decisionBudget } from '../../policy/run.ts'
import type { Facts } from '../../policy/types.ts'
import { policyVocabulary } from '../../catalogue/vocabulary.ts'
import type { Identity } from './identify.ts'
import { isInScope } from './scope.ts'

const vocabulary = policyVocabulary([])
const ofKind = (kind: string): Facts => ({ activity: { kind } })

/** A session whose scope this is. */
function limitedTo(scope: Expression | undefined): Identity {
  // Nothing else of a sender is looked at.
  return { scope: () => scope } as unknown as Identity
}

test('a session may do what its scope is true of, each part of it', () => {
  const tags = limitedTo(parseExpression("activity.kind == 'CREATE_USER_TAG'", vocabulary))
  const isIn = (...kinds: readonly string[]) => finished(isInScope(tags, kinds.map(ofKind)))
  assert.equal(isIn('CREATE_USER_TAG', 'CREATE_USER_TAG'), true)
  assert.equal(isIn('CREATE_USER_TAG', 'CREATE_USERS'), false)
})

test('a request is refused where the scope has no value for it, or fits the vocabulary no more', () => {
  const kind = parseExpression("activity.kind == 'CREATE_USER_TAG'", vocabulary)
  for (const [scope, facts] of [
    [kind, {}],
    [undefined, ofKind('CREATE_USER_TAG')],
  ] as const)
    assert.throws(() => finished(isInScope(limitedTo(scope), [facts])), /could not be evaluated/)
})

test('a scope costs as much as its evaluation takes, for each part of a request', () => {
  const scope = parseExpression("[1, 2, 3].any(n, n == 4) || activity.kind == 'CREATE_USER_TAG'", vocabulary)
  const facts = ofKind('CREATE_USER_TAG')
  const budget = decisionBudget()
  scope.evaluate(facts, budget)
  const steps = decisionBudget().steps - budget.steps
  assert.ok(steps > 5)
  const each = steps * costs.expressionStep
  assert.deepEqual([...isInScope(limitedTo(scope), [facts, facts])], [each, each])
})
