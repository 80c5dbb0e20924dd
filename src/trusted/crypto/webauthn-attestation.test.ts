import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Bending,
  cborBytes,
  cborInteger,
  cborMap,
  cborText,
  createAuthenticator,
} from '../../../test/support/software-authenticator.ts'
import { Failure } from '../base/failure.ts'
import { type Attestation, attestationOfCredential, verifyAttestation } from './webauthn-attestation.ts'

const origin = 'https://wallet.example'
const challenge = Buffer.alloc(32, 0xfb).toString('base64url')
const seeded = (length: number) => createHash('sha512').update(String(length)).digest().subarray(0, length)
const ec = createAuthenticator({ randomBytes: seeded })
const rsa = createAuthenticator({ randomBytes: seeded, algorithm: 'RS256' })

test('a registration without a statement gives what is stored of the passkey', async () => {
  for (const passkey of [ec, rsa]) {
    const attestation = passkey.register(challenge, origin)
    assert.deepEqual(await verifyAttestation({ challenge, attestation, origins: [origin] }), {
      credentialId: passkey.credentialId,
      publicKey: passkey.publicKey,
      aaguid: 'AAAAAAAAAAAAAAAAAAAAAA',
      attestationType: 'none',
      transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
      model: '',
    })
  }
})

test('padding in what was sent does not change what is stored', async () => {
  const attestation = ec.register(challenge, origin)
  const padded = { ...attestation, credentialId: `${attestation.credentialId}=` }

  assert.equal((await verifyAttestation({ challenge, attestation: padded })).credentialId, ec.credentialId)
})

test('the first form of an attestation says the same as the second', async () => {
  const { credentialId, clientDataJson, attestationObject, transports } = ec.register(challenge, origin)
  const response = { clientDataJson, attestationObject }
  const first = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} }

  assert.deepEqual(
    attestationOfCredential({ ...first, response: { ...response, transports } }),
    ec.register(challenge, origin),
  )
  const bare = attestationOfCredential({ ...first, response })
  assert.deepEqual((await verifyAttestation({ challenge, attestation: bare })).transports, [])
})

test('a challenge of 64 hex digits is known in the forms that platforms make of it', async () => {
  const hex = createHash('sha256').update('challenge').digest('hex')
  const forms = [
    hex,
    Buffer.from(hex, 'hex').toString('base64url'),
    Buffer.from(hex, 'hex').toString('base64'),
    Buffer.from(hex).toString('base64'),
  ]
  for (const inClientData of forms) {
    await verifyAttestation({ challenge: hex, attestation: ec.register(inClientData, origin) })
  }
})

test('what is missing is said to be missing', async () => {
  const attestation = ec.register(challenge, origin)
  const missing = 'missing parameter: user authenticator attestation'

  assert.equal(await messageOf(undefined), missing)
  for (const field of ['credentialId', 'clientDataJson', 'attestationObject']) {
    assert.equal(await messageOf({ ...attestation, [field]: '' }), missing)
  }
  const bare = cborMap([
    [cborText('fmt'), cborText('none')],
    [cborText('attStmt'), cborMap([])],
  ])
  const withoutAuthData = { ...attestation, attestationObject: bare.toString('base64url') }
  assert.equal(await messageOf(withoutAuthData), `${missing} auth data`)
})

test('a certificate that takes long to read is refused before it is read', async () => {
  const { attestationObject, ...honest } = ec.register(challenge, origin)
  const authData = Buffer.from(attestationObject, 'base64url').subarray(-100)
  const withCertificate = (length: number) => ({
    ...honest,
    attestationObject: cborMap([
      [cborText('fmt'), cborText('packed')],
      [
        cborText('attStmt'),
        cborMap([
          [cborText('alg'), cborInteger(-7)],
          [cborText('sig'), cborBytes(Buffer.alloc(70))],
          [cborText('x5c'), Buffer.concat([Buffer.of(0x81), cborBytes(Buffer.alloc(length))])],
        ]),
      ],
      [cborText('authData'), cborBytes(authData)],
    ]).toString('base64url'),
  })
  assert.match(await messageOf(withCertificate(4_097)), /a certificate has more than 4096 bytes$/)
  assert.match(await messageOf(withCertificate(4_096)), /attestationObject does not verify$/)
})

test('what is wrong is said to be invalid, with the reason', async () => {
  const honest = ec.register(challenge, origin)
  const bent = (bending: Bending) => ec.register(challenge, origin, bending)
  const cases: readonly (readonly [Attestation, string])[] = [
    [
      { ...honest, credentialId: rsa.credentialId.slice(0, 20) },
      'credentialId is not the one in attestationObject',
    ],
    [{ ...honest, credentialId: '*' }, 'credentialId is not base64url of at most 32768 characters'],
    [
      { ...honest, attestationObject: 'A'.repeat(32_772) },
      'attestationObject is not base64url of at most 16384 characters',
    ],
    [{ ...honest, clientDataJson: 'e30' }, 'clientDataJson is not client data'],
    [bent({ clientData: { type: 'webauthn.get' } }), 'clientDataJson is not of type webauthn.create'],
    [ec.register('AAAA', origin), 'challenge is not the one in clientDataJson'],
    [ec.register(challenge, 'https://evil.example'), 'origin "https://evil.example" is not allowed'],
    [ec.register(challenge, `${origin}/`), `origin "${origin}/" is not allowed`],
    [{ ...honest, attestationObject: '/w'.replace('/', '_') }, 'attestationObject is not a CBOR map'],
    [bent({ flags: 0x44 }), 'attestationObject does not verify'],
    [bent({ flags: 0x05 }), 'attestationObject does not verify'],
    [bent({ tail: Buffer.alloc(18) }), 'attestationObject does not verify'],
  ]
  for (const [attestation, why] of cases) {
    assert.equal(await messageOf(attestation), `invalid authenticator attestation: ${why}`)
  }
})

test('formats that would have the service ask the network are refused by name', async () => {
  for (const format of ['apple', 'android-key', 'android-safetynet', 'compound', '']) {
    const object = cborMap([
      [cborText('fmt'), cborText(format)],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(Buffer.alloc(37))],
    ])
    const attestation = { ...ec.register(challenge, origin), attestationObject: object.toString('base64url') }
    const why = 'the format must be one of none, packed, fido-u2f, tpm'
    assert.equal(await messageOf(attestation), `invalid authenticator attestation: ${why}`)
  }
})

test('a key that could not be used for a stamp is not registered', async () => {
  const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  const weak = cborMap([
    [cborInteger(1), cborInteger(3)],
    [cborInteger(3), cborInteger(-257)],
    [cborInteger(-1), cborBytes(Buffer.from(n, 'base64url'))],
    [cborInteger(-2), cborBytes(Buffer.of(1, 0, 1))],
  ])
  assert.match(
    await messageOf(ec.register(challenge, origin, { tail: credentialData(weak) })),
    /: the public key is neither /,
  )
})

test('a key of RSA with a small exponent is not registered', async () => {
  const small = createAuthenticator({ randomBytes: seeded, algorithm: 'RS256', rsaExponent: 3 })
  assert.match(await messageOf(small.register(challenge, origin)), /: the public key is neither /)
})

test('a credential id of 1023 bytes is registered, as it was sent', async () => {
  const randomBytes = (length: number) =>
    Buffer.concat([seeded(32), Buffer.alloc(length)]).subarray(0, length)
  const long = createAuthenticator({ randomBytes, credentialIdLength: 1023 })
  const attestation = long.register(challenge, origin)
  assert.equal((await verifyAttestation({ challenge, attestation })).credentialId, long.credentialId)
})

test('a packed statement by the passkey itself is verified', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coseKey = cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
  const honest = ec.register(challenge, origin)
  const authData = Buffer.concat([
    Buffer.alloc(32),
    Buffer.of(0x41),
    Buffer.alloc(4),
    credentialData(coseKey),
  ])
  const clientDataHash = createHash('sha256').update(Buffer.from(honest.clientDataJson, 'base64url')).digest()
  const packed = (signature: Uint8Array) => ({
    ...honest,
    attestationObject: cborMap([
      [cborText('fmt'), cborText('packed')],
      [
        cborText('attStmt'),
        cborMap([
          [cborText('alg'), cborInteger(-7)],
          [cborText('sig'), cborBytes(signature)],
        ]),
      ],
      [cborText('authData'), cborBytes(authData)],
    ]).toString('base64url'),
  })
  const good = sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey)
  const bad = sign('sha256', authData, privateKey)

  const registered = await verifyAttestation({ challenge, attestation: packed(good) })
  assert.deepEqual(
    [registered.attestationType, registered.publicKey],
    ['packed', coseKey.toString('base64url')],
  )
  assert.equal(
    await messageOf(packed(bad)),
    'invalid authenticator attestation: attestationObject does not verify',
  )
})

test('registering anything else fails cleanly', async () => {
  const honest = ec.register(challenge, origin)
  const object = Buffer.from(honest.attestationObject, 'base64url')
  const edited = fc
    .array(fc.tuple(fc.nat(object.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 })
    .map((edits) => {
      const copy = Buffer.from(object)
      for (const [at, byte] of edits) copy[at] = byte
      return copy.toString('base64url')
    })
  const nested = fc
    .integer({ min: 1, max: 20_000 })
    .map((depth) => Buffer.alloc(depth, 0x81).toString('base64url'))
  const anything = fc.oneof(
    edited,
    nested,
    fc.uint8Array().map((b) => Buffer.from(b).toString('base64url')),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(
      anything,
      fc.constantFrom('attestationObject', 'clientDataJson', 'credentialId'),
      async (text, field) => {
        await messageOf({ ...honest, [field]: text })
      },
    ),
    { numRuns: 400 },
  )
})

/**
 * The failure's message, or an empty text where the attestation was accepted; anything but a failure of code 3 is
 * thrown on.
 */
async function messageOf(attestation: Attestation | undefined): Promise<string> {
  try {
    await verifyAttestation({ challenge, attestation, origins: [origin] })
    return ''
  } catch (error) {
    if (error instanceof Failure && error.code === 3) return error.message
    throw error
  }
}

/** AAGUID (16) ‖ length (2) ‖ the credential id of `ec` (32) ‖ key */
function credentialData(coseKey: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.alloc(16),
    Buffer.of(0, 32),
    Buffer.from(ec.credentialId, 'base64url'),
    coseKey,
  ])
}
