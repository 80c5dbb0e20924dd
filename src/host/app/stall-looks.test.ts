import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stallLooks } from './stall-looks.ts'

function watched(isComputing: boolean | undefined) {
  const lines: string[] = []
  let beats = 0
  const look = stallLooks({
    beat: () => beats,
    isComputing: () => isComputing,
    log: (level, event, fields) =>
      lines.push(`${level} ${event} ${fields?.['seconds']}: ${fields?.['detail']}`),
  })
  return { lines, look, beat: () => beats++ }
}

test('a loop that stands still is told once, with what it does, and once more when it goes on', () => {
  for (const [isComputing, what] of [
    [true, /: it computes$/],
    [false, /: it waits for the system, which is the disk/],
    [undefined, /: it waits for the disk of the embedded store, or computes$/],
  ] as const) {
    const { lines, look, beat } = watched(isComputing)
    for (let looks = 0; looks < 10; looks++) look()
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /^error stalled 3: the host has not answered/)
    assert.match(lines[0] ?? '', what)
    beat()
    look()
    look()
    assert.deepEqual(lines.slice(1), ['info stall over 10: undefined'])
  }
})

test('a loop that is slow, or was stopped as a whole and goes on, is no stall', () => {
  const { lines, look, beat } = watched(false)
  for (let looks = 0; looks < 30; looks++) {
    look()
    if (looks % 2 === 1) beat()
  }
  assert.deepEqual(lines, [])
})
