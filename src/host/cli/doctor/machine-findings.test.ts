import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certificateFinding } from './machine-findings.ts'

test('a certificate of the database that ends within two weeks is to be renewed', () => {
  const end = Date.UTC(2026, 10, 30)
  const markBefore = (days: number) => certificateFinding(end, end - days * 24 * 60 * 60 * 1000).mark
  assert.deepEqual([400, 14, 13, 0, -1].map(markBefore), ['ok', 'ok', '!!', '!!', '!!'])
  assert.match(certificateFinding(end, end).text, /ends on 2026-11-30: renew it$/)
})
