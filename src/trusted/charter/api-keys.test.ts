import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_KEY_CURVES, readApiKey } from './api-keys.ts'

test('a text that is no public key of its curve is refused with the form that the curve asks for', () => {
  const formOf = (curveType: string, key: string) => {
    try {
      return readApiKey(curveType, key)
    } catch (error) {
      return error instanceof Error ? /\(.*\)$/.exec(error.message)?.[0] : undefined
    }
  }
  const compressed = '(33 bytes, compressed, in hexadecimal)'
  for (const key of ['', '00', `04${'11'.repeat(64)}`, `02${'ff'.repeat(32)}`])
    assert.deepEqual(
      API_KEY_CURVES.map((curveType) => formOf(curveType, key)),
      [compressed, compressed, '(32 bytes in hexadecimal)'],
    )
})
