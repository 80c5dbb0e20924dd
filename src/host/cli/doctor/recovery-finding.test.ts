import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../app/config.ts'
import { recoveryFinding, rehearsedFinding } from './recovery-finding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const entry = { set: 'aa', threshold: 2, shares: ['', '', ''], createdAt: Date.UTC(2026, 0, 1) }
const rehearsed = (rehearsedAt: number | null, usedAt: number | null = null) => ({
  sets: [
    { set: 'bb', rehearsedAt: entry.createdAt + 900 * DAY_MS, usedAt: null },
    { set: 'aa', rehearsedAt, usedAt },
  ],
})

test('shares that nobody has looked at for a year are to be rehearsed', () => {
  const after = (days: number) => entry.createdAt + days * DAY_MS
  const old = rehearsedFinding(entry, { sets: [] }, after(365) + 1)
  assert.equal(old.mark, '!!')
  assert.match(old.text, /made 2026-01-01, never rehearsed: claviger recovery rehearse$/)
  assert.equal(rehearsedFinding(entry, { sets: [] }, after(365)).mark, 'ok')
  assert.deepEqual(rehearsedFinding(entry, rehearsed(after(10)), after(375)), {
    mark: 'ok',
    text: 'recovery by 2 of 3 people, made 2026-01-01, last rehearsed 2026-01-11',
  })
  // What was rehearsed with the shares of another set says nothing of these.
  assert.equal(rehearsedFinding(entry, rehearsed(null), after(366)).mark, '!!')
  const used = rehearsedFinding(entry, rehearsed(after(10), after(20)), after(385))
  assert.deepEqual([used.mark, used.text.endsWith('rehearsed 2026-01-11, used 2026-01-21')], ['ok', true])
  assert.equal(rehearsedFinding(entry, rehearsed(after(10), after(20)), after(385) + 1).mark, '!!')
})

test('a note of recoveries that somebody else has written is said before all else', () => {
  const config = readConfig({ CLAVIGER_DATA: '/nowhere' }, '/')
  const { mark, text } = recoveryFinding(config, { foreign: 2, sets: [] }, 0)
  assert.equal(mark, '!!')
  assert.match(text, /^recovery: 2 lines of its note in the data have no proof of this root key$/)
})
