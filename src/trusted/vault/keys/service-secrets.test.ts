import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../base/secret.ts'
import { type ServiceKey, verifyingAt } from './service-secrets.ts'

const secret = new Secret(new Uint8Array(32))

test('a key of before verifies until its time, and not at it; the used and the published one have no end', () => {
  const keys: readonly ServiceKey[] = [
    { purpose: 'webhook', version: 1, state: 'verifies', until: 1_000, secret },
    { purpose: 'webhook', version: 2, state: 'used', secret },
    { purpose: 'webhook', version: 3, state: 'published', since: 5_000, secret },
  ]
  const versionsAt = (at: number): readonly number[] => verifyingAt(keys, at).map(({ version }) => version)
  assert.deepEqual(versionsAt(999), [1, 2, 3])
  assert.deepEqual(versionsAt(1_000), [2, 3])
})
