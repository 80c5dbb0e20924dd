import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromBase64url, fromHex, fromUtf8, release, toBase64url, toHex, utf8 } from './bytes.ts'

test('bytes come back from every text that was made of them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assert.deepEqual(Uint8Array.from(fromHex(toHex(bytes)) ?? []), bytes)
      assert.deepEqual(Uint8Array.from(fromHex(toHex(bytes).toUpperCase()) ?? []), bytes)
      assert.deepEqual(Uint8Array.from(fromBase64url(toBase64url(bytes)) ?? []), bytes)
    }),
  )
})

test('a text that is no such encoding gives nothing, and never something shorter', () => {
  for (const text of ['0', '0x00', 'zz', '00 ', '0g']) assert.equal(fromHex(text), undefined, text)
  for (const text of ['A', 'AB', 'A+==', 'AA/=', 'AAA===', 'A A', 'Zh'])
    assert.equal(fromBase64url(text), undefined, text)
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = fromBase64url(text)
      if (bytes !== undefined) assert.equal(toBase64url(bytes), text.replace(/=+$/, ''))
    }),
  )
})

test('only well-formed UTF-8 is text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(fromUtf8(utf8(text)), text)))
  for (const hex of ['ff', 'c080', 'eda080', 'f4908080', 'e282'])
    assert.equal(fromUtf8(Buffer.from(hex, 'hex')), undefined, hex)
  assert.equal(
    fromUtf8(Buffer.from('efbbbf41', 'hex')),
    '\ufeffA',
    'a byte order mark stays, for the reader of JSON to refuse',
  )
})

test('released bytes are empty at once, except those that are short or share their memory', () => {
  const whole = Buffer.allocUnsafeSlow(8_192)
  const [short, part] = [Buffer.allocUnsafeSlow(100), Buffer.allocUnsafeSlow(8_192).subarray(0, 8_000)]
  for (const bytes of [whole, short, part]) release(bytes)
  assert.deepEqual([whole.length, short.length, part.length], [0, 100, 8_000])
  release(whole)
})
