import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerAscii } from './lower-ascii.ts'

test('letters of ASCII are lowered and every other one stays', () => {
  assert.equal(lowerAscii('Ada.LOVELACE+X@Example.COM'), 'ada.lovelace+x@example.com')
  // U+212A KELVIN SIGN and U+0130 fold to ASCII letters in Unicode.
  for (const other of ['\u212Aen@example.com', '\u0130ris@example.com', 'Éva@example.com'])
    assert.equal(lowerAscii(other), other)
})
