import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, ShownHeartbeats } from './shown-heartbeats.ts'

const MONTH_HOURS = 30 * 24
const ORGANIZATION = '01a1fb67-0000-7000-8000-000000000001'
const CHARTER = { organizationId: ORGANIZATION, parentId: null }

/**
 * Shows an attempt with so many heartbeats after so many hours each, to a vault that runs for a month; answers how many
 * hours the vault has seen.
 */
function seenOf(showings: readonly (readonly [hours: number, heartbeats: number])[]): number {
  const shown = new ShownHeartbeats()
  const attemptOf = (heartbeats: number) => ({ attemptId: 'a', begunAt: 0, users: [], heartbeats })
  for (const [hours, heartbeats] of showings)
    shown.heldFor(CHARTER, attemptOf(heartbeats), (MONTH_HOURS + hours) * HOUR_MS)
  return shown.countedSince(ORGANIZATION, attemptOf(showings.at(-1)?.[1] ?? 0))
}

test('hours that are shown as they pass are seen, whichever vault counts them', () => {
  assert.equal(
    seenOf([
      [0, 60],
      [1, 61],
      [2.1, 62],
      [3.1, 63],
    ]),
    3,
  )
})

test('what is shown first, what is shown faster than it passes, and what was hidden meanwhile adds no hours', () => {
  assert.equal(seenOf([[5, 72]]), 0)
  const fast = Array.from({ length: 13 }, (_, at) => [at / 60, 60 + at] as const)
  assert.equal(seenOf(fast), 0)
  assert.equal(
    seenOf([
      [0, 60],
      [12, 72],
    ]),
    1,
  )
  assert.equal(seenOf([...fast, [2, 73]]), 1)
})

test('a charter that is decided on before it was shown adds no hours, and another attempt begins anew', () => {
  const shown = new ShownHeartbeats()
  const attempt = { attemptId: 'a', begunAt: 0, users: [], heartbeats: 60 }
  shown.heldFor(CHARTER, attempt, 0)
  assert.equal(shown.countedSince(ORGANIZATION, { ...attempt, heartbeats: 72 }), 0)
  shown.heldFor(CHARTER, { ...attempt, attemptId: 'b', heartbeats: 72 }, 20 * HOUR_MS)
  assert.equal(shown.countedSince(ORGANIZATION, { ...attempt, attemptId: 'b', heartbeats: 72 }), 0)
})

test('attempts in many sub-organizations of a tenant have none of another tenant forgotten', () => {
  const shown = new ShownHeartbeats(4)
  const attempt = { attemptId: 'a', begunAt: 0, users: [], heartbeats: 60 }
  shown.heldFor(CHARTER, attempt, 0)
  for (let other = 0; other < 10; other++)
    shown.heldFor({ organizationId: `sub ${other}`, parentId: 'parent' }, attempt, 0)
  assert.equal(shown.heldFor(CHARTER, attempt, HOUR_MS), HOUR_MS)
  assert.equal(shown.countedSince(ORGANIZATION, { ...attempt, heartbeats: 61 }), 0)
  shown.heldFor(CHARTER, { ...attempt, heartbeats: 61 }, HOUR_MS)
  assert.equal(shown.countedSince(ORGANIZATION, { ...attempt, heartbeats: 61 }), 1)
})
