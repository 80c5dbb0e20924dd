import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterApprovals } from './later-approvals.ts'
import { peopleFacts } from './people.ts'
import { A, B, C, D } from './testing/members.ts'

test('those who may come to approve come one after the other, up to all, and nobody twice', () => {
  const later = laterApprovals([B], [A, B, C, D])

  assert.deepEqual(later.last(), peopleFacts([B, A, C, D]))
  assert.deepEqual(later.each(), [[B], [B, A], [B, A, C], [B, A, C, D]].map(peopleFacts))
})

test('where everybody has approved there is one moment, the present', () => {
  const later = laterApprovals([A, B], [B, A])

  assert.deepEqual(later.each(), [peopleFacts([A, B])])
})

test('the moments are computed once', () => {
  const later = laterApprovals([A], [A, B])

  assert.equal(later.each(), later.each())
  assert.equal(later.last(), later.last())
})
