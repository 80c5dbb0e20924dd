import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type HdPath, readPath } from './hd-path.ts'

test('a path is read level by level', () => {
  assert.deepEqual(readPath("m/44'/60'/0'/0/7"), {
    indexes: [44, 60, 0, 0, 7],
    hardened: [true, true, true, false, false],
  })
  assert.deepEqual(readPath('m'), { indexes: [], hardened: [] })
  assert.deepEqual(readPath("m/2147483647'/2147483647")?.indexes, [2147483647, 2147483647])
})

test('a path of 255 levels is read, a longer one is not', () => {
  assert.equal(readPath(`m${"/2147483647'".repeat(255)}`)?.indexes.length, 255)
  assert.equal(readPath(`m${"/2147483647'".repeat(256)}`), undefined)
  assert.equal(readPath(`m${'/0'.repeat(256)}`), undefined)
})

test('a path has one spelling', () => {
  for (const text of [
    '',
    '/',
    'M',
    'm/',
    '/m',
    'm//0',
    'm/0/',
    "m/'",
    "m/0''",
    'm/00',
    "m/01'",
    'm/-0',
    'm/-1',
    'm/+1',
    'm/1.0',
    'm/1e3',
    'm/0x1',
    'm/2147483648',
    "m/2147483648'",
    'm/99999999999',
    'm/0h',
    'm/0H',
    'm/0’',
    ' m/0',
    'm/0 ',
    'm/ 0',
    'm/0\n',
    'm/٠',
    '44/0',
    "0'/0",
  ]) {
    assert.equal(readPath(text), undefined, JSON.stringify(text))
  }
})

test('reading what was written gives it back', () => {
  const level = fc.tuple(fc.nat(2 ** 31 - 1), fc.boolean())
  fc.assert(
    fc.property(fc.array(level, { maxLength: 255 }), (levels) => {
      const path = { indexes: levels.map(([index]) => index), hardened: levels.map(([, bit]) => bit) }
      assert.deepEqual(readPath(written(path)), path)
    }),
  )
})

test('reading anything else fails cleanly', () => {
  const piece = fc.constantFrom('m', '/', '0', '1', '9', '2147483647', '2147483648', "'", 'h', ' ', '-')
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 20 }).map((all) => `m/${all.join('')}`),
  )
  fc.assert(
    fc.property(text, (any) => {
      const path = readPath(any)
      if (path !== undefined) assert.equal(written(path), any)
    }),
    { numRuns: 2000 },
  )
})

function written({ indexes, hardened }: HdPath): string {
  return ['m', ...indexes.map((index, level) => `${index}${hardened[level] === true ? "'" : ''}`)].join('/')
}
