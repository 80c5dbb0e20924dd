import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vectors } from '../../../test/support/vectors.ts'
import { present } from '../base/assert.ts'
import { Failure } from '../base/failure.ts'
import { createAuthenticator } from '../../../test/support/software-authenticator.ts'
import { stampHeader, stampKeyFrom, stampWith } from '../../../test/support/stamper.ts'
import { requireOneStamp, type StampHeaders } from './stamp.ts'
import { API_KEY_SCHEMES } from './stamp-api-key.ts'

const seeded = (length: number) => Buffer.alloc(length, 7)

const p256Stamp = {
  publicKey: `02${'ab'.repeat(32)}`,
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  signature: '3006020101020101',
}

const passkeyStamp = {
  authenticatorData: 'AAAA',
  clientDataJson: 'e30',
  credentialId: 'AQID',
  signature: 'MAA',
}

test('an API key stamp is read whatever the order of its keys and whatever else is in it', () => {
  const { publicKey, scheme, signature } = p256Stamp
  for (const sent of [p256Stamp, { signature, scheme, publicKey }, { ...p256Stamp, later: { a: [1] } }]) {
    assert.deepEqual(requireOneStamp({ xStamp: stampHeader(sent).stampHeaderValue }), {
      kind: 'apiKey',
      ...p256Stamp,
    })
  }
})

test('a stamp reads the same with padding as without', () => {
  for (const extra of ['', 'x', 'xx']) {
    const text = JSON.stringify({ ...p256Stamp, extra })
    const padded = Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    assert.deepEqual(
      requireOneStamp({ xStamp: padded }),
      requireOneStamp({ xStamp: padded.replaceAll('=', '') }),
    )
  }
})

test('the public key of a stamp is given in lowercase', () => {
  const sent = { ...p256Stamp, publicKey: p256Stamp.publicKey.toUpperCase() }

  assert.deepEqual(requireOneStamp({ xStamp: stampHeader(sent).stampHeaderValue }), {
    kind: 'apiKey',
    ...p256Stamp,
  })
})

test('a passkey stamp is read as JSON and as base64url of it', () => {
  const text = JSON.stringify(passkeyStamp)
  const wrapped = Buffer.from(text).toString('base64url')

  for (const header of [text, wrapped, `${wrapped}==`.slice(0, Math.ceil(wrapped.length / 4) * 4)]) {
    assert.deepEqual(requireOneStamp({ xStampWebauthn: header }), { kind: 'webauthn', ...passkeyStamp })
  }
})

test('padding inside a passkey stamp does not make another credential of it', () => {
  const padded = { ...passkeyStamp, signature: 'MAA=', clientDataJson: 'e30=' }

  assert.deepEqual(requireOneStamp({ xStampWebauthn: JSON.stringify(padded) }), {
    kind: 'webauthn',
    ...passkeyStamp,
  })
})

test('exactly one stamp is asked for', () => {
  const xStamp = stampHeader(p256Stamp).stampHeaderValue
  const xStampWebauthn = JSON.stringify(passkeyStamp)
  const none =
    'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)'

  assert.deepEqual(refusal({}), [16, none, 'SIGNATURE_MISSING'])
  const two = refusal({ xStamp, xStampWebauthn })
  assert.match(String(two[1]), /^no valid authentication signature found for request: both/)
  // An empty header was sent, and is not a stamp that is missing.
  assert.match(String(refusal({ xStamp: '' })[1]), /^could not extract api key stamp/)
  assert.match(String(refusal({ xStamp: '', xStampWebauthn })[1]), /^no valid authentication signature/)
})

test('what is not a JSON object in base64url could not be extracted', () => {
  const of = (text: string) => Buffer.from(text).toString('base64url')
  const valid = stampHeader(p256Stamp).stampHeaderValue
  const duplicated = JSON.stringify(p256Stamp).replace('{', '{"scheme":"a",')
  const headers = [
    'a',
    '*',
    'a b',
    '{}',
    of('[]'),
    of('null'),
    of('{'),
    of('{}x'),
    `${valid}, ${valid}`,
    of(duplicated),
    'e30'.repeat(2000),
  ]
  for (const xStamp of headers) {
    const [code, message, errorCode] = refusal({ xStamp })
    assert.deepEqual([code, errorCode], [16, 'SIGNATURE_INVALID'], xStamp)
    assert.match(String(message), /^could not extract api key stamp: the header /)
  }
  for (const xStampWebauthn of ['{', '{}{}', of('[]'), '*', `{"a":"${'x'.repeat(9000)}"}`]) {
    assert.match(String(refusal({ xStampWebauthn })[1]), /^could not extract webauthn stamp: the header /)
  }
})

test('a stamp with a field that is missing or of a wrong form is malformed', () => {
  const bad: readonly object[] = [
    { ...p256Stamp, publicKey: undefined },
    { ...p256Stamp, publicKey: 1 },
    { ...p256Stamp, publicKey: `0x${p256Stamp.publicKey}` },
    { ...p256Stamp, publicKey: 'ab'.repeat(32) },
    { ...p256Stamp, publicKey: `04${'ab'.repeat(64)}` },
    { ...p256Stamp, publicKey: `${p256Stamp.publicKey}\n` },
    { ...p256Stamp, scheme: 'SIGNATURE_SCHEME_TK_API_P384' },
    { ...p256Stamp, scheme: ['SIGNATURE_SCHEME_TK_API_P256'] },
    { ...p256Stamp, scheme: 'SIGNATURE_SCHEME_TK_API_ED25519' },
    { ...p256Stamp, signature: '' },
    { ...p256Stamp, signature: 'abc' },
    { ...p256Stamp, signature: `0x${p256Stamp.signature}` },
    { ...p256Stamp, signature: null },
  ]
  for (const sent of bad) {
    const [code, message, errorCode] = refusal({ xStamp: stampHeader(sent).stampHeaderValue })
    assert.deepEqual([code, errorCode], [16, 'SIGNATURE_INVALID'])
    assert.match(String(message), /^malformed activity stamp: /, JSON.stringify(sent))
  }
  for (const field of Object.keys(passkeyStamp)) {
    for (const value of [undefined, 1, '', 'a', 'A+8', '*', ['AAAA']]) {
      const xStampWebauthn = JSON.stringify({ ...passkeyStamp, [field]: value })
      assert.equal(refusal({ xStampWebauthn })[1]?.toString().startsWith('malformed activity stamp: '), true)
    }
  }
})

type Kats = {
  readonly stamps: { readonly [name: string]: { readonly header: string; readonly json: object } }
}

test('the stamps of the facts are read', () => {
  const { stamps } = vectors<Kats>('facts/crypto-kats.json')
  for (const name of ['P256_highS', 'P256_lowS', 'SECP256K1', 'ED25519', 'EIP191']) {
    const { header, json } = present(stamps[name], name)
    assert.deepEqual(requireOneStamp({ xStamp: header }), { kind: 'apiKey', ...json })
  }
})

test('reading a stamp that was made gives it back', () => {
  for (const scheme of API_KEY_SCHEMES) {
    const key = stampKeyFrom(scheme, seeded)
    const stamp = requireOneStamp({ xStamp: stampWith(key, 'body').stampHeaderValue })
    assert.ok(stamp.kind === 'apiKey' && stamp.scheme === scheme && stamp.publicKey === key.publicKey)
  }
  const header = createAuthenticator({ randomBytes: seeded }).assert(
    'body',
    'https://a.example',
  ).stampHeaderValue
  assert.deepEqual(requireOneStamp({ xStampWebauthn: header }), { kind: 'webauthn', ...JSON.parse(header) })
})

test('reading anything else fails cleanly', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.json(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
    fc
      .record({ publicKey: fc.anything(), scheme: fc.anything(), signature: fc.anything() })
      .map((stamp) =>
        Buffer.from(JSON.stringify(stamp, (_, v) => (typeof v === 'bigint' ? 1 : v))).toString('base64url'),
      ),
  )
  fc.assert(
    fc.property(anything, fc.boolean(), (header, isPasskey) => {
      const [code] = refusal(isPasskey ? { xStampWebauthn: header } : { xStamp: header })
      assert.equal(code, 16)
    }),
    { numRuns: 500 },
  )
})

function refusal(headers: StampHeaders): readonly unknown[] {
  try {
    return ['accepted', requireOneStamp(headers)]
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.message, error.errorCode]
    throw error
  }
}
