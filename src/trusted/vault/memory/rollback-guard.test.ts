import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Older, outdated, RollbackGuard, type State } from './rollback-guard.ts'
import { UnknownRootVersion } from '../keys/unknown-root-version.ts'

const NOW = 1_700_000_000_000
const noting = { owner: { tenant: 't', organization: 'o' }, now: NOW }
const known = state(5, '1.1.five')

function state(revision: number, seal: string, until?: number): State {
  return { revision, seal, ...(until === undefined ? {} : { until }) }
}

/** A guard that knows one state. */
function guarding(given: State = known, now = NOW): RollbackGuard {
  const guard = new RollbackGuard('thing', 10)
  guard.note('k', given, { ...noting, now })
  return guard
}

const older = (brought: string): object => ({
  name: 'Older',
  message: `stored data is older than the vault has seen it: thing k: ${brought} instead of 5 (1.1.five)`,
})

test('an older state, another of the same revision, and nothing at all are refused with what is known', () => {
  const guard = guarding()
  assert.throws(() => guard.check('k', state(4, '1.1.four'), NOW), older('4 (1.1.four)'))
  assert.throws(() => guard.check('k', state(5, '1.1.other'), NOW), older('5 (1.1.other)'))
  assert.throws(() => guard.check('k', undefined, NOW), older('nothing'))
  guard.check('k', known, NOW)
  guard.check('k', state(6, '1.1.six'), NOW)
  guard.check('another', undefined, NOW)
})

test('beyond its size the largest tenant loses what it used least recently, and no other one loses anything', () => {
  const guard = guarding()
  const loud = { owner: { tenant: 'loud', organization: 'one of many' }, now: NOW }
  for (let other = 0; other < 20; other++) guard.note(`other ${other}`, known, loud)
  assert.throws(() => guard.check('k', state(4, '1.1.four'), NOW), Older)
  assert.equal(guard.tenantOf('k'), 't')
  assert.deepEqual(
    [10, 11, 19].map((other) => guard.knows(`other ${other}`, NOW)),
    [false, true, true],
  )
})

test('states that nobody needs any more give way first: they are looked for once a minute, whatever the clock does', () => {
  const guard = new RollbackGuard('thing', 3)
  const note = (key: string, until: number, now: number): void => {
    guard.note(key, state(5, 'x', until), { ...noting, now })
  }
  const known = (): readonly string[] =>
    ['long', 'a', 'b', 'c', 'd', 'e', 'f'].filter((key) => guard.knows(key, NOW))
  const HOUR = 3_600_000
  note('long', NOW + 9 * HOUR, NOW)
  note('a', NOW + HOUR, NOW)
  note('b', NOW + 9 * HOUR, NOW)
  note('c', NOW + HOUR + 2, NOW + HOUR)
  assert.deepEqual(known(), ['long', 'b', 'c'])
  // Within the same minute the least recently used one gives way.
  note('d', NOW + 9 * HOUR, NOW + HOUR + 3)
  assert.deepEqual(known(), ['b', 'c', 'd'])
  // The clock was set back.
  note('e', NOW + 1, NOW)
  assert.deepEqual(known(), ['c', 'd', 'e'])
  note('f', NOW + 9 * HOUR, NOW + 60_000)
  assert.deepEqual(known(), ['c', 'd', 'f'])
})

test('by its revision alone, only an older state is refused', () => {
  const guard = guarding()
  assert.throws(() => guard.checkRevision('k', 4, NOW), older('4'))
  guard.checkRevision('k', 5, NOW)
  guard.checkRevision('k', 6, NOW)
  guard.checkRevision('another', 0, NOW)
})

test('by its seal alone, everything but the newest state is refused', () => {
  const guard = guarding()
  assert.throws(() => guard.checkSeal('k', '1.1.six', NOW), older('1.1.six'))
  assert.throws(() => guard.checkSeal('k', null, NOW), older('nothing'))
  guard.checkSeal('k', '1.1.five', NOW)
  guard.checkSeal('another', null, NOW)
})

test('what is noted never goes back, and another state of the same revision does not replace the first', () => {
  const guard = guarding()
  guard.note('k', state(4, '1.1.four'), noting)
  guard.note('k', state(5, '1.1.other'), noting)
  assert.equal(guard.isNewest('k', '1.1.five', NOW), true)
  guard.note('k', state(6, '1.1.six'), noting)
  assert.equal(guard.isNewest('k', '1.1.five', NOW), false)
  assert.equal(guard.isNewest('k', '1.1.six', NOW), true)
})

test('a state is known as long as somebody depends on it, and not from then on', () => {
  const guard = guarding(state(5, '1.1.five', NOW + 10))
  assert.equal(guard.knows('k', NOW + 9), true)
  assert.throws(() => guard.check('k', undefined, NOW + 9), Older)
  assert.equal(guard.knows('k', NOW + 10), false)
  guard.check('k', undefined, NOW + 10)
  assert.equal(guard.isNewest('k', '1.1.five', NOW + 10), false)
})

test('a state on which nobody depends any more is not noted', () => {
  assert.equal(guarding(state(5, 'x', NOW)).knows('k', NOW - 1), false)
  assert.equal(guarding(state(5, 'x', NOW + 1)).knows('k', NOW), true)
  const guard = new RollbackGuard('thing', 10)
  guard.see('k', state(5, 'x', NOW), noting, () => false)
  assert.equal(guard.knows('k', NOW - 1), false)
})

test('at most 20,000 expired states are forgotten in one step, so that a full memory holds nobody up', () => {
  const size = 20_010
  const guard = new RollbackGuard('thing', size)
  for (let at = 0; at < size; at++) guard.note(`k${at}`, state(5, 'x', NOW + 1), noting)
  guard.note('new', state(5, 'x', NOW + 9), { ...noting, now: NOW + 1 })
  const left = Array.from({ length: size }, (_, at) => `k${at}`).filter((key) => guard.tenantOf(key) === 't')
  assert.equal(left.length, 10)
})

test('what is seen is known from then on, and nothing older is accepted', () => {
  const guard = guarding()
  guard.see('k', state(6, '1.1.six'), noting, () => false)
  assert.equal(guard.isNewest('k', '1.1.six', NOW), true)
  assert.throws(() => guard.see('k', known, noting, () => true), Older)
  assert.equal(guard.isNewest('k', '1.1.six', NOW), true)
})

test('a state that was resealed under a newer root key takes its place, only where the known seal is over it', () => {
  const resealed = state(5, '1.2.five')
  const fits = (seal: string): boolean => seal === '1.1.five'
  assert.throws(() => guarding().check('k', resealed, NOW), Older)
  assert.throws(() => guarding().check('k', resealed, NOW, () => false), Older)
  assert.throws(() => guarding().check('k', state(4, '1.2.five'), NOW, fits), Older)
  // The same version of the root key is no newer one, and what is no seal names none.
  assert.throws(() => guarding().check('k', state(5, '1.1.again'), NOW, fits), Older)
  assert.throws(() => guarding().check('k', state(5, 'no seal'), NOW, fits), Older)

  const guard = guarding()
  guard.see('k', resealed, noting, fits)
  assert.equal(guard.isNewest('k', '1.2.five', NOW), true)
  assert.throws(() => guard.check('k', known, NOW, () => true), Older, 'there is no way back')
})

test('what is outdated, or sealed under a version of the root key that is not here, the host reads anew', () => {
  assert.deepEqual(outdated(new Older('x')), {
    kind: 'outdated',
    what: 'stored data is older than the vault has seen it: x',
  })
  const unheld = new UnknownRootVersion('row', 7)
  assert.deepEqual(outdated(unheld), { kind: 'outdated', what: unheld.message })
  const bug = new Error('another')
  assert.throws(() => outdated(bug), bug)
})
