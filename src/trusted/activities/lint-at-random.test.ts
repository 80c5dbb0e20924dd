import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lintAtRandom } from './testing/lint-at-random.ts'
import { CLAIMS } from './testing/lint-claims.ts'

test('no request contradicts what the lint says of random policies, and each kind of finding was held to some', () => {
  const held = new Map<string, number>(lintAtRandom(500))
  for (const what of [...Object.keys(CLAIMS), 'rawAroundDeny']) assert.ok((held.get(what) ?? 0) > 0, what)
})
