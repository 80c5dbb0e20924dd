import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordValues } from '../../trusted/catalogue/record-values.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { activityColumns, activityValues } from './columns.ts'

const fields = Object.keys(activityColumns)
// The value of each field is its name, whatever its type says: nothing looks at a value here.
const row = Object.fromEntries(fields.map((field) => [field, field])) as unknown as ActivityRow

test('every column of a record is under its seal, and the stores are given all of them in their order', () => {
  assert.deepEqual(activityValues(row), fields)
  assert.deepEqual([...recordValues(row), 'seal'], fields)
})
