import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededBytes } from '../emulator/seeded-bytes.ts'
import { createAuthenticator } from '../../../test/support/software-authenticator.ts'
import { stampKeyFrom, stampWith } from '../../../test/support/stamper.ts'
import { fromBase64url, fromUtf8, utf8 } from '../../trusted/base/bytes.ts'
import { API_KEY_SCHEMES } from '../../trusted/crypto/stamp-api-key.ts'
import { checkStamp } from './asker-stamp.ts'
import type { ShownStamp } from './stamp-check.ts'

const body = utf8('{"a":1}')
const seeded = seededBytes('7')

for (const scheme of API_KEY_SCHEMES) {
  test(`a stamp of the scheme ${scheme} is verified over its bytes and over no others`, async () => {
    const key = stampKeyFrom(scheme, seeded)
    const header = fromBase64url(stampWith(key, body).stampHeaderValue) ?? new Uint8Array()
    const stamp = JSON.parse(fromUtf8(header) ?? '') as ShownStamp
    assert.deepEqual(await checkStamp(stamp, body), { kind: 'verified', key: `API key ${key.publicKey}` })
    assert.equal((await checkStamp(stamp, utf8('{"a":2}'))).kind, 'wrong')
    assert.equal(
      (await checkStamp({ ...stamp, publicKey: stampKeyFrom(scheme, seeded).publicKey }, body)).kind,
      'wrong',
    )
    assert.equal((await checkStamp({ ...stamp, publicKey: 'ff'.repeat(33) }, body)).kind, 'wrong')
    for (const signature of ['', '00', 'zz', stamp.signature.slice(2), '00'.repeat(64)])
      assert.equal((await checkStamp({ ...stamp, signature }, body)).kind, 'wrong', signature)
  })
}

test('a stamp of a passkey is verified over its bytes and over no others', async () => {
  const passkey = createAuthenticator({ randomBytes: seeded })
  const shown = (bytes: Uint8Array, bending = {}): ShownStamp => ({
    publicKey: passkey.publicKey,
    signature: passkey.assert(bytes, 'https://a.example', bending).stampHeaderValue,
    scheme: 'SIGNATURE_SCHEME_TK_WEBAUTHN',
  })
  assert.deepEqual(await checkStamp(shown(body), body), {
    kind: 'verified',
    key: `passkey ${passkey.credentialId}`,
  })
  assert.equal((await checkStamp(shown(utf8('{"a":2}')), body)).kind, 'wrong')
  assert.equal((await checkStamp(shown(body, { flags: 0x00 }), body)).kind, 'wrong')
  assert.equal(
    (await checkStamp(shown(body, { clientData: { type: 'webauthn.create' } }), body)).kind,
    'wrong',
  )
  assert.equal((await checkStamp({ ...shown(body), signature: '{}' }, body)).kind, 'wrong')
  // Everything about it is right, but another passkey has signed it.
  const other = createAuthenticator({ randomBytes: seeded })
  assert.equal((await checkStamp({ ...shown(body), publicKey: other.publicKey }, body)).kind, 'wrong')
  const rsa = createAuthenticator({ randomBytes: seeded, algorithm: 'RS256' })
  assert.equal((await checkStamp({ ...shown(body), publicKey: rsa.publicKey }, body)).kind, 'unknown')
})

test('a stamp of another kind, and a token, are not verified here', async () => {
  for (const scheme of ['SIGNATURE_SCHEME_TK_ATTESTED_P256', '', 'X'])
    assert.equal((await checkStamp({ publicKey: '', signature: '', scheme }, body)).kind, 'unknown')
})
