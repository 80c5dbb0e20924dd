import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIn } from '../../console/screens/policies/written-request.ts'
import { activities } from '../../src/trusted/activities/list.ts'

const parameters = { userTagName: 'Auditors', userIds: [] }
const type = 'ACTIVITY_TYPE_CREATE_USER_TAG'

test('a request is read out of its parameters, of itself, of its activity, and of what was asked for', () => {
  const read = (value: object) => requestIn(JSON.stringify(value))
  assert.deepEqual(read(parameters), { type: undefined, parameters })
  assert.deepEqual(read({ type, timestampMs: '1', parameters }), { type, parameters })
  assert.deepEqual(read({ createUserTagIntent: parameters }), { type, parameters })
  assert.deepEqual(read({ type, intent: { createUserTagIntent: parameters } }), { type, parameters })
  assert.equal(read({ signTransactionIntentV2: {} })?.type, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2')
  for (const text of ['', '{', '[]', 'null', '1', '"a"']) assert.equal(requestIn(text), undefined, text)
})

test('the type of each form follows from the name of what it asks for', () => {
  for (const { forms } of activities)
    for (const form of forms)
      assert.equal(requestIn(JSON.stringify({ [form.intentKey]: {} }))?.type, form.type)
})
