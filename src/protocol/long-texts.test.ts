import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { putTextsBack, takeTextsOut } from './long-texts.ts'

const long = fc.string({ minLength: 513, maxLength: 600, unit: 'binary' })
const loneSurrogate = fc.constant(`${'x'.repeat(600)}\ud800`)
const { messages: anyMessages } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('', 'short', null, 7, true),
    fc.oneof(long, loneSurrogate),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 10 }), tie('value'), { maxKeys: 4 }),
  ),
  messages: fc.array(tie('value'), { maxLength: 5 }),
}))

test('messages without their long texts are as they were once these are put back', () => {
  fc.assert(
    fc.property(anyMessages, (given) => {
      const messages = given as readonly unknown[]
      const before = JSON.stringify(messages)
      const { messages: rest, notes, texts } = takeTextsOut(messages)
      assert.equal(JSON.stringify(messages), before, 'what was given stays as it is')
      for (const text of texts) assert.ok(text.length > 512)
      const read = JSON.parse(JSON.stringify(rest)) as readonly unknown[]
      const told: unknown = JSON.parse(JSON.stringify(notes))
      assert.equal(putTextsBack(read, told, Buffer.from(texts.join(''))), undefined)
      assert.deepEqual(read, JSON.parse(before))
    }),
  )
})

test('long texts travel beside the JSON wherever they stand, and short ones do not', () => {
  const text = '"'.repeat(600)
  const { messages, notes } = takeTextsOut([
    { input: { rows: [{ body: text, seal: 's'.repeat(512) }] } },
    text,
  ])
  assert.deepEqual(notes, [
    { path: [0, 'input', 'rows', 0, 'body'], bytes: 600 },
    { path: [1], bytes: 600 },
  ])
  assert.ok(!JSON.stringify(messages).includes('\\"'))
})

test('a text that belongs nowhere is refused, and nothing but an empty text gives way to it', () => {
  const bytes = Buffer.from('abc')
  const inherited: unknown = Object.create({ b: '' })
  const given = () => [{ a: { b: '' } }, { a: { b: 'kept' } }, null, { a: ['', 1] }, inherited]
  const to = (...path: readonly unknown[]) => [{ path, bytes: 3 }]
  const refused = [
    undefined,
    {},
    [null],
    ['path'],
    [{ path: [0, 'a', 'b'] }],
    [{ path: 'abc', bytes: 3 }],
    ...[2, 4, -3, 1.5, '3', null].map((length) => [{ path: [0, 'a', 'b'], bytes: length }]),
    [...to(0, 'a', 'b'), ...to(0, 'a', 'b')],
    to(),
    to(0),
    to(0, 'a'),
    to(0, 'a', 'c'),
    to(0, 'a', 'b', 0),
    to(0, 'a', ['b']),
    to(0, 'a', '__proto__'),
    to(0, 'a', 'constructor', 'name'),
    to(1, 'a', 'b'),
    to(2, 'a'),
    to(3, 'a', 1),
    to(3, 'a', 2),
    to(3, 'a', 'length'),
    to(4, 'b'),
    to(5, 'a'),
  ]
  for (const notes of refused)
    assert.notEqual(putTextsBack(given(), notes, bytes), undefined, JSON.stringify(notes))
  for (const path of [
    [0, 'a', 'b'],
    [3, 'a', 0],
  ])
    assert.equal(putTextsBack(given(), to(...path), bytes), undefined, JSON.stringify(path))
})
