import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { concat, toBase64url, utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { hmacKey, hmacSha256 } from './hmac.ts'
import { openReadOnlySession, type ReadOnlySession, sealReadOnlySession } from './read-only-session.ts'

const key = hmacKey(Buffer.alloc(32, 1))
const now = 1_800_000_000_000
const session: ReadOnlySession = { id: 'i', organizationId: 'o', userId: 'u', expiresAt: now + 1 }

const refusal = (text: string, at = now, under = key): string => {
  try {
    openReadOnlySession(text, [under], at)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, 16)
    return error.kind
  }
  return 'none'
}

test('opening what was sealed gives it back', () => {
  const sessions = fc.record({
    id: fc.string(),
    organizationId: fc.string({ unit: 'grapheme' }),
    userId: fc.string(),
    expiresAt: fc.integer({ min: now + 1, max: Number.MAX_SAFE_INTEGER }),
  })
  fc.assert(
    fc.property(sessions, (sent) => {
      assert.deepEqual(openReadOnlySession(sealReadOnlySession(sent, key), [key], now), { ...sent })
    }),
  )
})

test('a session holds until its last millisecond, and not at it', () => {
  const text = sealReadOnlySession(session, key)
  assert.equal(refusal(text), 'none')
  assert.equal(refusal(text, now + 1), 'readOnlySessionExpired')
})

test('a session that was altered in one character, cut, extended or sealed under another key is not accepted', () => {
  const text = sealReadOnlySession(session, key)
  for (let at = 0; at < text.length; at++) {
    const altered = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    assert.equal(refusal(altered), 'readOnlySessionNotAccepted', altered)
    assert.equal(refusal(text.slice(0, at)), 'readOnlySessionNotAccepted')
  }
  for (const other of [`${text}=`, `${text}.`, `${text}.A`, ` ${text}`, text.replace('.', '=.')])
    assert.equal(refusal(other), 'readOnlySessionNotAccepted', other)
  assert.equal(refusal(text, now, hmacKey(Buffer.alloc(32, 2))), 'readOnlySessionNotAccepted')
})

test('what is authentic and is no session is not accepted', () => {
  const bare = utf8(JSON.stringify(session))
  assert.equal(
    refusal(`${toBase64url(bare)}.${toBase64url(hmacSha256(key, bare))}`),
    'readOnlySessionNotAccepted',
  )
  for (const content of [
    '',
    '[]',
    '{}',
    JSON.stringify({ ...session, expiresAt: '9' }),
    `${JSON.stringify(session)} `,
  ]) {
    const tag = hmacSha256(key, concat(utf8('read-only session 1\0'), utf8(content)))
    assert.equal(
      refusal(`${toBase64url(utf8(content))}.${toBase64url(tag)}`),
      'readOnlySessionNotAccepted',
      content,
    )
  }
})

test('any text is not accepted, cleanly', () => {
  const dotted = fc.tuple(fc.base64String(), fc.base64String()).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(fc.oneof(fc.string(), dotted), (text) => {
      assert.equal(refusal(text), 'readOnlySessionNotAccepted')
    }),
  )
})
