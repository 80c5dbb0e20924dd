import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import fc from 'fast-check'
import { vectors } from '../../../test/support/vectors.ts'
import { createAuthenticator } from '../../../test/support/software-authenticator.ts'
import { type StampHeader, stampHeader, stampKeyFrom, stampWith } from '../../../test/support/stamper.ts'
import { present } from '../base/assert.ts'
import { toHex, utf8 } from '../base/bytes.ts'
import { signatureNotVerified } from './stamp.ts'
import { readApiKeyStamp } from './stamp-api-key.ts'
import { API_KEY_SCHEMES, type ApiKeyScheme } from './stamp-api-key.ts'
import { readDer } from './der.ts'
import { P256_ORDER } from './scalar.ts'
import { type StampCredential, verifyKeyFor, verifyStamp } from './stamp-verify.ts'
import { readWebauthnStamp } from './stamp-webauthn.ts'

const body = utf8('{"organizationId":"f9e6a1c2-5b1d-4c8e-9a57-3d1c0b2e4f60"}')
const seeded = (length: number) => createHash('sha512').update(String(length)).digest().subarray(0, length)

const typeOfScheme: Readonly<Record<ApiKeyScheme, string>> = {
  SIGNATURE_SCHEME_TK_API_P256: 'CREDENTIAL_TYPE_API_KEY_P256',
  SIGNATURE_SCHEME_TK_API_SECP256K1: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  SIGNATURE_SCHEME_TK_API_ED25519: 'CREDENTIAL_TYPE_API_KEY_ED25519',
}

const P256_TYPES = [
  'CREDENTIAL_TYPE_API_KEY_P256',
  'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
  'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256',
  'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256',
  'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
  'CREDENTIAL_TYPE_OAUTH_KEY_P256',
  'CREDENTIAL_TYPE_LOGIN',
]

test('a stamp of each scheme verifies over its body and over no other', () => {
  for (const scheme of API_KEY_SCHEMES) {
    const key = stampKeyFrom(scheme, seeded)
    const credential = credentialOf(typeOfScheme[scheme], key.publicKey)
    const sent = stampWith(key, body)
    assert.equal(verifies(sent, credential), true, scheme)
    assert.equal(verifies(sent, credential, utf8('{}')), false, scheme)
    assert.equal(verifies(stampWith(key, ''), credential, utf8('')), true, scheme)
  }
})

test('a scheme is good only for its own type of credential', () => {
  const types = [...Object.values(typeOfScheme), 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR']
  for (const scheme of API_KEY_SCHEMES) {
    const key = stampKeyFrom(scheme, seeded)
    const honest = credentialOf(typeOfScheme[scheme], key.publicKey)
    for (const type of types.filter((other) => other !== honest.type)) {
      assert.equal(verifies(stampWith(key, body), { ...honest, type }), false)
    }
  }
  for (const type of P256_TYPES) {
    const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded)
    assert.equal(verifies(stampWith(key, body), credentialOf(type, key.publicKey)), true, type)
  }
})

test('the two schemes of secp256k1 cannot stand in for each other', () => {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_SECP256K1', seeded)
  const credential = credentialOf('CREDENTIAL_TYPE_API_KEY_SECP256K1', key.publicKey)
  const plain = stampOf(stampWith(key, body))
  const wallet = stampOf(stampWith({ ...key, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191' }, body))

  assert.equal(verifies(stampHeader({ ...plain, scheme: wallet.scheme }), credential), false)
  assert.equal(verifies(stampHeader({ ...wallet, scheme: plain.scheme }), credential), false)
})

test('the key that a stamp names must be the credential, in either case', () => {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded)
  const other = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', (length) => Buffer.alloc(length, 9))
  const sent = stampOf(stampWith(key, body))
  const credential = credentialOf('CREDENTIAL_TYPE_API_KEY_P256', key.publicKey)

  assert.equal(verifies(stampHeader({ ...sent, publicKey: key.publicKey.toUpperCase() }), credential), true)
  assert.equal(verifies(stampHeader(sent), { ...credential, publicKey: key.publicKey.toUpperCase() }), true)
  assert.equal(verifies(stampHeader({ ...sent, publicKey: other.publicKey }), credential), false)
  // The same x with the other y: a key that differs in one bit of its first byte.
  const mirrored = (key.publicKey.startsWith('02') ? '03' : '02') + key.publicKey.slice(2)
  assert.equal(verifies(stampHeader({ ...sent, publicKey: mirrored }), credential), false)
})

test('high s is accepted and DER that says the same in other bytes is not', () => {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded)
  const credential = credentialOf('CREDENTIAL_TYPE_API_KEY_P256', key.publicKey)
  const signed = p256.Signature.fromHex(stampOf(stampWith(key, body)).signature, 'der')
  const mirrored = new p256.Signature(signed.r, p256.Point.Fn.ORDER - signed.s)
  const der = signed.toHex('der')
  const withSignature = (signature: string) =>
    verifies(stampHeader({ ...stampOf(stampWith(key, body)), signature }), credential)

  assert.equal(withSignature(der), true)
  assert.equal(withSignature(mirrored.toHex('der')), true)
  assert.equal(withSignature(der.toUpperCase()), true)
  const length = der.length / 2 - 2
  const tricks = [
    `${der}00`,
    `3081${der.slice(2)}`,
    `31${der.slice(2)}`,
    `30${(length + 1).toString(16)}${der.slice(4)}00`,
    der.slice(0, -2),
    `3080${der.slice(4)}0000`,
    signed.toHex('compact'),
    new p256.Signature(p256.Point.Fn.ORDER - 1n, signed.s).toHex('der'),
    '3006020100020100',
    '3006020101020101',
  ]
  for (const trick of tricks) assert.equal(withSignature(trick), false, trick)
})

test('an altered signature, body or key never verifies and never throws', () => {
  const made = API_KEY_SCHEMES.map((scheme) => {
    const key = stampKeyFrom(scheme, seeded)
    return {
      sent: stampOf(stampWith(key, body)),
      credential: credentialOf(typeOfScheme[scheme], key.publicKey),
    }
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...made),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      (stamped, at, mask, ofBody) => {
        const { sent, credential } = stamped
        const signature = toHex(altered(Buffer.from(sent.signature, 'hex'), at, mask))
        const bent = ofBody ? sent : { ...sent, signature }
        assert.equal(verifies(stampHeader(bent), credential, ofBody ? altered(body, at, mask) : body), false)
      },
    ),
    { numRuns: 400 },
  )
})

const KNOWN = ['P256_highS', 'P256_lowS', 'SECP256K1', 'ED25519', 'EIP191'] as const

type KnownStamp = { readonly [field in 'header' | 'scheme' | 'body']: string } & {
  readonly json: { readonly publicKey: string }
}

type Kats = {
  readonly stamps: { readonly [name in (typeof KNOWN)[number]]: KnownStamp } & {
    readonly nonMinimalDerFromToDerSignature: { readonly der: string; readonly raw: string }
  }
  readonly webauthnChallenge: { readonly body: string; readonly clientDataJsonChallenge: string }
}

test('the stamps of the facts verify', () => {
  const { stamps, webauthnChallenge } = vectors<Kats>('facts/crypto-kats.json')
  for (const name of KNOWN) {
    const { header, json, scheme, body: stamped } = stamps[name]
    const type =
      typeOfScheme[
        present(
          API_KEY_SCHEMES.find((known) => known === scheme),
          'a scheme',
        )
      ]
    const sent = { stampHeaderName: 'X-Stamp', stampHeaderValue: header }
    assert.equal(verifies(sent, credentialOf(type, json.publicKey), utf8(stamped)), true, name)
  }
  const { der, raw } = stamps.nonMinimalDerFromToDerSignature
  assert.equal(toHex(present(readDer(Buffer.from(der, 'hex'), P256_ORDER), 'r and s')), raw)
  const passkey = createAuthenticator({ randomBytes: seeded })
  const { clientDataJson } = JSON.parse(
    passkey.assert(webauthnChallenge.body, 'https://a.example').stampHeaderValue,
  )
  const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
  assert.equal(challenge, webauthnChallenge.clientDataJsonChallenge)
})

test('a wallet stamp whose r starts with a zero byte verifies with the integer that the client does not shorten', () => {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191', seeded)
  const credential = credentialOf('CREDENTIAL_TYPE_API_KEY_SECP256K1', key.publicKey)
  let tries = 0
  for (;;) {
    const text = utf8(`{"n":${tries++}}`)
    const sent = stampOf(stampWith(key, text))
    const rs = Buffer.from(p256.Signature.fromHex(sent.signature, 'der').toHex('compact'), 'hex')
    // Where the second byte has its top bit set, DER needs the zero byte.
    if (rs[0] !== 0 || (rs[1] ?? 0) >= 0x80) continue
    const wide = (half: Buffer) => ((half[0] ?? 0) >= 0x80 ? `0221${'00'}` : '0220') + half.toString('hex')
    const integers = wide(rs.subarray(0, 32)) + wide(rs.subarray(32))
    const der = `30${(integers.length / 2).toString(16)}${integers}`
    assert.notEqual(der, sent.signature)
    assert.equal(verifies(stampHeader({ ...sent, signature: der }), credential, text), true)
    return
  }
})

test('what the published stamper sends verifies, in each of its runtimes', async () => {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded)
  const credential = credentialOf('CREDENTIAL_TYPE_API_KEY_P256', key.publicKey)
  for (const runtimeOverride of ['node', 'browser', 'purejs'] as const) {
    const stamper = new ApiKeyStamper({
      apiPublicKey: key.publicKey,
      apiPrivateKey: toHex(key.privateKey),
      runtimeOverride,
    })
    const sent = await stamper.stamp(Buffer.from(body).toString())
    assert.equal(sent.stampHeaderName.toLowerCase(), 'x-stamp')
    assert.equal(verifies(sent, credential), true, runtimeOverride)
    assert.equal(verifies(sent, credential, utf8('{}')), false, runtimeOverride)
  }
})

test('a passkey stamp verifies with either algorithm, and with no other credential', () => {
  for (const algorithm of ['ES256', 'RS256'] as const) {
    const passkey = createAuthenticator({ randomBytes: seeded, algorithm })
    const credential = credentialOf('CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', passkey.publicKey)
    const sent = passkey.assert(body, 'https://a.example')
    const other = createAuthenticator({ randomBytes: (length) => Buffer.alloc(length, 9), algorithm })
    const otherCredential = credentialOf('CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', other.publicKey)
    const stamp = readWebauthnStamp(sent.stampHeaderValue)

    assert.equal(verifyStamp(stamp, body, credential), true)
    assert.equal(verifyStamp(stamp, body, credential, ['https://a.example']), true)
    assert.equal(verifyStamp(stamp, body, credential, ['https://b.example']), false)
    assert.equal(verifyStamp(stamp, utf8('{}'), credential), false)
    assert.equal(verifyStamp(stamp, body, otherCredential), false)
    const apiKey = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded)
    assert.equal(
      verifyStamp(stamp, body, credentialOf('CREDENTIAL_TYPE_API_KEY_P256', apiKey.publicKey)),
      false,
    )
  }
})

test('a verify key is made only of a key of its type', () => {
  const p256Key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded).publicKey
  const edKey = stampKeyFrom('SIGNATURE_SCHEME_TK_API_ED25519', seeded).publicKey
  const refused: readonly (readonly [string, string])[] = [
    ['CREDENTIAL_TYPE_API_KEY_P256', edKey],
    ['CREDENTIAL_TYPE_API_KEY_P256', `02${'ff'.repeat(32)}`],
    ['CREDENTIAL_TYPE_API_KEY_P256', `0x${p256Key}`],
    ['CREDENTIAL_TYPE_API_KEY_ED25519', p256Key],
    ['CREDENTIAL_TYPE_API_KEY_SECP256K1', `02${'ff'.repeat(32)}`],
    ['CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', p256Key],
    ['CREDENTIAL_TYPE_UNKNOWN', p256Key],
    ['constructor', p256Key],
  ]
  for (const [type, publicKey] of refused) assert.equal(verifyKeyFor(type, publicKey), undefined, type)
})

test('a signature that does not verify is said in one sentence for each kind of stamp', () => {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seeded)
  const apiKey = signatureNotVerified(readApiKeyStamp(stampWith(key, body).stampHeaderValue))
  const passkey = createAuthenticator({ randomBytes: seeded }).assert(body, 'https://a.example')
  const webauthn = signatureNotVerified(readWebauthnStamp(passkey.stampHeaderValue))

  assert.deepEqual([apiKey.code, apiKey.message], [16, 'could not verify api key signature'])
  assert.deepEqual([webauthn.code, webauthn.message], [16, 'could not verify WebAuthN signature'])
  assert.deepEqual([apiKey.errorCode, webauthn.errorCode], ['SIGNATURE_INVALID', 'SIGNATURE_INVALID'])
})

function credentialOf(type: string, publicKey: string): StampCredential {
  return { type, publicKey, key: present(verifyKeyFor(type, publicKey), 'a verify key') }
}

function verifies(sent: StampHeader, credential: StampCredential, stamped: Uint8Array = body): boolean {
  return verifyStamp(readApiKeyStamp(sent.stampHeaderValue), stamped, credential)
}

function stampOf(sent: StampHeader): {
  readonly publicKey: string
  readonly scheme: string
  readonly signature: string
} {
  return JSON.parse(Buffer.from(sent.stampHeaderValue, 'base64url').toString())
}

function altered(bytes: Uint8Array, at: number, mask: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const place = at % copy.length
  copy[place] = (copy[place] ?? 0) ^ mask
  return copy
}
