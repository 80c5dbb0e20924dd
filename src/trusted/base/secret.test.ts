import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { test } from 'node:test'
import { Secret } from './secret.ts'

test('a secret shows itself to nobody who prints, logs or serialises it', () => {
  const secret = new Secret(Buffer.from('0102030405060708', 'hex'))
  for (const text of [
    `${secret}`,
    String([secret]),
    JSON.stringify({ secret }),
    inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
  ]) {
    assert.ok(text.includes('[secret]'), text)
    assert.ok(!/01, ?02|0102|AQID/.test(text), text)
  }
})

test('wiping clears the very bytes', () => {
  const bytes = Uint8Array.of(1, 2, 3)
  new Secret(bytes).wipe()
  assert.deepEqual(bytes, Uint8Array.of(0, 0, 0))
})
