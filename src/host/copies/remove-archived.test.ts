import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aJudgedRecord } from '../store/testing/fixtures.ts'
import { saysOther } from './remove-archived.ts'

test('a later revision with the same outcome is an erasure, and one with another outcome is of another past', () => {
  const archived = { ...aJudgedRecord(1), revision: 2 }
  const erased = { ...archived, revision: 3, intent: '{}', votes: '[]', result: null }
  assert.equal(saysOther(erased, archived), false)
  assert.equal(saysOther({ ...erased, status: 'ACTIVITY_STATUS_REJECTED' }, archived), true)
  assert.equal(saysOther({ ...erased, updatedAt: archived.updatedAt + 1 }, archived), true)
  assert.equal(saysOther({ ...archived, intent: '{}' }, archived), true)
  assert.equal(saysOther({ ...archived, seal: 'anew' }, archived), false)
})
