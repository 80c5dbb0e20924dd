import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { exportJWK, exportSPKI, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose'
import { toBase64url, utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { peekOidcToken, verifyOidcToken } from './oidc-token.ts'

const issuer = 'https://issuer.example'
const now = 1_800_000_000_000
const seconds = now / 1000
const claims = { iss: issuer, aud: 'client', sub: 'user-1', nonce: 'abc', exp: seconds + 60, iat: seconds }

type Pair = GenerateKeyPairResult & { readonly jwk: JWK }

async function aPair(alg: string, kid?: string, options: object = {}): Promise<Pair> {
  const pair = await generateKeyPair(alg, { extractable: true, ...options })
  return { ...pair, jwk: { ...(await exportJWK(pair.publicKey)), ...(kid === undefined ? {} : { kid }) } }
}

const rsa = await aPair('RS256', 'r1')
const ec = await aPair('ES256', 'e1')
const other = await aPair('RS256', 'r1')

const keySet = (...pairs: readonly Pair[]) => JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) })

function signed(
  payload: Record<string, unknown> = claims,
  { alg = 'RS256', kid = 'r1', by = rsa }: { alg?: string; kid?: string | undefined; by?: Pair } = {},
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, ...(kid === '' ? {} : { kid }) }).sign(by.privateKey)
}

const read = (jwt: string, keys = keySet(rsa), at = now, from = issuer) =>
  verifyOidcToken(jwt, keys, { now: at, issuer: from })

async function refusal(jwt: string, keys = keySet(rsa), at = now, from = issuer): Promise<string> {
  try {
    await read(jwt, keys, at, from)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.deepEqual([error.kind, error.code, error.errorCode], ['invalidOidcToken', 3, 'INVALID_OIDC_TOKEN'])
    assert.match(error.message, /^invalid OIDC token: /)
    return error.message.replace('invalid OIDC token: ', '')
  }
  return 'none'
}

test('a token of each accepted algorithm verifies', async () => {
  for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']) {
    const pair = await aPair(alg, 'k')
    const jwt = await signed(claims, { alg, kid: 'k', by: pair })
    const identity = { issuer, audience: 'client', subject: 'user-1' }
    assert.deepEqual(await read(jwt, keySet(pair)), { ...identity, nonce: 'abc' }, alg)
    assert.deepEqual(peekOidcToken(jwt), { ...identity, kid: 'k' })
  }
})

test('the further claims are read, whichever way an issuer writes them', async () => {
  const of = async (more: object) => {
    const {
      issuer: _,
      audience: __,
      subject: ___,
      ...rest
    } = await read(await signed({ ...claims, ...more }))
    return rest
  }
  assert.deepEqual(await of({ nonce: undefined }), {})
  assert.deepEqual(await of({ email: 'a@b.example', email_verified: true }), {
    nonce: 'abc',
    email: 'a@b.example',
    emailVerified: true,
  })
  assert.equal((await of({ email_verified: 'true' })).emailVerified, true)
  for (const no of ['false', 'yes', 1, false, null])
    assert.equal((await of({ email_verified: no })).emailVerified, false)
  assert.equal((await of({ tknonce: 'own' })).nonce, 'own')
  assert.equal((await of({ nonce: undefined, tknonce: 'own' })).nonce, 'own')
})

test('a token is for exactly one audience', async () => {
  assert.equal((await read(await signed({ ...claims, aud: ['client'] }))).audience, 'client')
  for (const aud of [['client', 'other'], [], [1], '', 5, { client: 1 }]) {
    const jwt = await signed({ ...claims, aud })
    assert.match(await refusal(jwt), /exactly one audience/, JSON.stringify(aud))
    assert.equal(peekOidcToken(jwt), undefined)
  }
})

test('times are those that were handed in, with a minute for clocks that differ', async () => {
  const jwt = await signed({ ...claims, nbf: seconds })
  assert.equal(await refusal(jwt, keySet(rsa), now + 119_999), 'none')
  assert.equal(await refusal(jwt, keySet(rsa), now + 120_000), 'it has expired')
  assert.equal(await refusal(jwt, keySet(rsa), now - 60_000), 'none')
  assert.equal(await refusal(jwt, keySet(rsa), now - 61_000), 'it is not valid yet')
})

test('a token is good for a day after it was issued, however late it expires, and not before', async () => {
  const jwt = await signed({ ...claims, exp: 1e300 })
  const day = 24 * 60 * 60 * 1000
  assert.equal(await refusal(jwt, keySet(rsa), now + day + 60_000), 'none')
  assert.equal(await refusal(jwt, keySet(rsa), now + day + 61_000), 'it was issued more than a day ago')
  assert.equal(await refusal(jwt, keySet(rsa), now - 60_000), 'none')
  assert.equal(await refusal(jwt, keySet(rsa), now - 61_000), 'it says that it was issued in the future')
})

test('a claim that is missing, of a wrong type or of another issuer is refused', async () => {
  for (const name of ['iss', 'aud', 'sub', 'exp', 'iat'])
    assert.equal(
      await refusal(await signed({ ...claims, [name]: undefined })),
      `it lacks the claim "${name}"`,
    )
  assert.equal(
    await refusal(await signed({ ...claims, exp: '9999999999' })),
    'its claim "exp" is of the wrong type',
  )
  for (const sub of ['', 5, null])
    assert.match(await refusal(await signed({ ...claims, sub })), /needs an issuer/)
  assert.equal(
    await refusal(await signed({ ...claims, iss: `${issuer}/` })),
    'it was issued by another issuer',
  )
  assert.equal(
    await refusal(await signed(), keySet(rsa), now, 'https://other.example'),
    'it was issued by another issuer',
  )
})

test('a token that was cut, altered or signed by another key is refused', async () => {
  const jwt = await signed()
  const [header = '', , signature = ''] = jwt.split('.')
  const forged = toBase64url(utf8(JSON.stringify({ ...claims, sub: 'user-2' })))
  assert.equal(await refusal(`${header}.${forged}.${signature}`), 'its signature does not verify')
  assert.equal(await refusal(await signed(claims, { by: other })), 'its signature does not verify')
  assert.equal(await refusal(jwt, keySet(other)), 'its signature does not verify')
  for (const text of [
    jwt.slice(0, -1),
    jwt.slice(0, -7),
    jwt.slice(0, jwt.lastIndexOf('.')),
    `${jwt}.`,
    `${jwt}==`,
    '',
  ])
    assert.notEqual(await refusal(text), 'none', text.slice(-10))
})

test('an algorithm other than those of public keys is refused, whatever it is signed with', async () => {
  const pem = await exportSPKI(rsa.publicKey)
  const payload = toBase64url(utf8(JSON.stringify(claims)))
  for (const secret of [pem, pem.trim(), rsa.jwk.n ?? '', JSON.stringify(rsa.jwk), '']) {
    const signedPart = `${toBase64url(utf8('{"alg":"HS256","kid":"r1"}'))}.${payload}`
    const mac = createHmac('sha256', secret).update(signedPart).digest('base64url')
    assert.equal(await refusal(`${signedPart}.${mac}`), 'its algorithm is not accepted')
    // A key set that holds the secret itself does not help.
    const oct = JSON.stringify({ keys: [{ kty: 'oct', kid: 'r1', k: toBase64url(utf8(secret)) }] })
    assert.match(await refusal(`${signedPart}.${mac}`, oct), /^no key of its issuer fits it/)
  }
  for (const alg of ['none', 'None', 'NONE', '']) {
    const bare = `${toBase64url(utf8(JSON.stringify({ alg, kid: 'r1' })))}.${payload}`
    assert.notEqual(await refusal(`${bare}.`), 'none')
    assert.notEqual(await refusal(`${bare}.AAAA`), 'none')
  }
})

test('an algorithm that is not on the list is refused, though the library knows it', async () => {
  const pair = await aPair('ES512', 'k')
  const jwt = await signed(claims, { alg: 'ES512', kid: 'k', by: pair })
  assert.equal(await refusal(jwt, keySet(pair)), 'its algorithm is not accepted')
})

test('a key is used only as what it is', async () => {
  const ofEc = await signed(claims, { alg: 'ES256', kid: 'e1', by: ec })
  assert.match(
    await refusal(ofEc, JSON.stringify({ keys: [{ ...rsa.jwk, kid: 'e1' }] })),
    /^no key of its issuer/,
  )
  const jwt = await signed()
  for (const change of [
    { alg: 'RS512' },
    { use: 'enc' },
    { kty: 'rsa' },
    { kid: 'r2' },
    { n: 'AQAB' },
    { n: '*' },
    { e: 5 },
    { e: 'AQ' },
    { e: 'Aw' },
    { e: 'AQAA' },
    { e: 'AAAAAAE' },
    { e: 'AAAB' },
    { n: `${(rsa.jwk.n ?? '').slice(0, -1)}A` },
  ])
    assert.match(
      await refusal(jwt, JSON.stringify({ keys: [{ ...rsa.jwk, ...change }] })),
      /^no key of its issuer/,
    )
  assert.equal(
    await refusal(jwt, JSON.stringify({ keys: [{ ...rsa.jwk, use: 'sig', alg: 'RS256' }] })),
    'none',
  )
  const beside = JSON.stringify({ keys: [{ ...ec.jwk, y: ec.jwk.x }] })
  assert.equal(await refusal(ofEc, beside), 'the key of its issuer is not a key')
})

test('a key of RSA below 2048 bits is passed over, though the signature is right', async () => {
  const pair = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 1024,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  )
  const header = toBase64url(utf8('{"alg":"RS256","kid":"weak"}'))
  const signedPart = `${header}.${toBase64url(utf8(JSON.stringify(claims)))}`
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', pair.privateKey, Buffer.from(signedPart))
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'weak' }
  const jwt = `${signedPart}.${Buffer.from(signature).toString('base64url')}`
  assert.match(await refusal(jwt, JSON.stringify({ keys: [jwk] })), /2048 bits/)
  const padded = {
    ...jwk,
    n: toBase64url(Buffer.concat([Buffer.alloc(128), Buffer.from(jwk.n ?? '', 'base64url')])),
  }
  assert.match(await refusal(jwt, JSON.stringify({ keys: [padded] })), /2048 bits/)
})

test('an exponent of 1, for which anybody can sign, is passed over', async () => {
  const header = toBase64url(utf8('{"alg":"RS256","kid":"one"}'))
  const signedPart = `${header}.${toBase64url(utf8(JSON.stringify(claims)))}`
  const digest = createHash('sha256').update(signedPart).digest()
  // RFC 8017, section 9.2: what the signature is raised to, and here what it is.
  const block = Buffer.concat([
    Buffer.of(0, 1),
    Buffer.alloc(202, 0xff),
    Buffer.from('003031300d060960864801650304020105000420', 'hex'),
    digest,
  ])
  const jwk = { ...rsa.jwk, kid: 'one', e: 'AQ' }
  const jwt = `${signedPart}.${block.toString('base64url')}`
  assert.match(await refusal(jwt, JSON.stringify({ keys: [jwk] })), /^no key of its issuer/)
})

test('a token that names no key is tried with each that could be meant', async () => {
  const jwt = await signed(claims, { kid: '' })
  assert.equal(await refusal(jwt, keySet(other, ec, rsa)), 'none')
  assert.equal(await refusal(jwt, keySet(other, ec)), 'its signature does not verify')
})

test('a header that carries its own key, an extension or another type gains nothing', async () => {
  const sign = (header: object) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'r1', ...header }).sign(other.privateKey)
  const forged = await sign({ jwk: other.jwk, jku: 'https://evil.example/keys', x5u: 'https://evil.example' })
  assert.equal(await refusal(forged), 'its signature does not verify')
  const typed = (typ: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'r1', typ }).sign(rsa.privateKey)
  assert.equal(await refusal(await typed('jwt')), 'none')
  assert.equal(await refusal(await typed('at+jwt')), 'its header names another type')
  const critical = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'r1', crit: ['x'], x: 1 })
  assert.notEqual(await refusal(await critical.sign(rsa.privateKey, { crit: { x: true } })), 'none')
})

test('a payload that two readers could understand differently is refused, though it is signed', async () => {
  const twice = JSON.stringify(claims).replace('{', '{"sub":"user-2",')
  const signedPart = `${toBase64url(utf8('{"alg":"RS256","kid":"r1"}'))}.${toBase64url(utf8(twice))}`
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', rsa.privateKey, Buffer.from(signedPart))
  const jwt = `${signedPart}.${Buffer.from(signature).toString('base64url')}`
  assert.equal(await refusal(jwt), 'it is not a JWT in compact form')
  assert.equal(peekOidcToken(jwt), undefined)
})

test('an answer of the issuer that is no bounded key set is refused', async () => {
  const jwt = await signed()
  for (const keys of [
    '',
    '[]',
    'null',
    '{}',
    '{"keys":{}}',
    '{"keys":null}',
    '<html>',
    '{"keys":[],"keys":[]}',
  ])
    assert.match(await refusal(jwt, keys), /keys of its issuer are not/, keys)
  for (const keys of ['{"keys":[]}', '{"keys":[1,null,"x",[],{}]}', '{"keys":[{"kty":"RSA","kid":"r1"}]}'])
    assert.match(await refusal(jwt, keys), /^no key of its issuer fits it/, keys)
  assert.match(await refusal(jwt, JSON.stringify({ keys: Array(101).fill(rsa.jwk) })), /more than 100 keys/)
  assert.match(await refusal(jwt, `{"keys":[],"x":"${'x'.repeat(262_144)}"}`), /more than 262144 characters/)
})

test('a failure does not repeat the token', async () => {
  const jwt = await signed({ ...claims, iss: 'https://secret-issuer.example', sub: 'secret-subject' })
  const message = await refusal(jwt)
  for (const part of [...jwt.split('.'), 'secret']) assert.ok(!message.includes(part))
})

test('any text is refused cleanly, with any keys', async () => {
  const segment = fc.oneof(
    fc.base64String(),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  )
  const jwtLike = fc.tuple(segment, segment, segment).map((segments) => segments.join('.'))
  const keyLike = fc.record({
    kty: fc.constantFrom('RSA', 'EC', 'OKP', 'oct', 'AKP'),
    crv: fc.constantFrom('P-256', 'Ed25519', 'X'),
    x: fc.base64String(),
    y: fc.string(),
    n: fc.constant(rsa.jwk.n),
    e: fc.base64String(),
    alg: fc.constantFrom(undefined, 'RS256', 'ES256', 5),
    key_ops: fc.constantFrom(undefined, ['verify'], 'verify'),
  })
  const keys = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(keyLike).map((list) => JSON.stringify({ keys: list })),
  )
  const good = [await signed(claims, { kid: '' }), await signed(claims, { alg: 'ES256', kid: '', by: ec })]
  const tokens = fc.oneof(fc.string(), jwtLike, fc.constantFrom(...good))
  await fc.assert(
    fc.asyncProperty(tokens, keys, async (jwt, set) => {
      assert.notEqual(await refusal(jwt, set), 'none')
    }),
    { numRuns: 300 },
  )
})
