import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import type { KeyServicePackage } from '../../../src/seals/key-services/key-service.ts'
import { sealNamed } from '../../../src/seals/list.ts'
import {
  aGoogleKms,
  fieldOf,
  type GoogleFault,
  googleError,
} from '../../../test/support/key-services/google-kms-server.ts'
import { longAnswer } from '../../../test/support/key-services/long-answer.ts'
import { aSealedFileKey, refuses } from '../../../test/support/key-services/sealed-file-key.ts'
import { served } from '../../../test/support/key-services/served.ts'
import { crc32c } from '../src/crc32c.ts'
import { keyService } from '../src/google-kms.ts'

const seal = sealNamed('google-kms')

test('Google Cloud KMS gives the key of a file back, with checksums both ways, bound to the file', async (t) => {
  const { asked, wrong, key, entry, opens, others } = await aKey(t)
  await opens()
  assert.deepEqual(wrong, [])
  assert.deepEqual(asked, ['encrypt', 'decrypt'])
  assert.equal(entry.key, key)
  await refuses(
    others.file,
    /Google Cloud KMS \(127\.0\.0\.1:\d+\) does not decrypt it: .* \(INVALID_ARGUMENT\)$/,
  )
  await refuses(others.wrapped, /does not decrypt it/)
  await refuses(others.sealed, /Google Cloud KMS decrypted something else than the key of this file/)
  await refuses(others.key, /knows no key projects\/acme-prod\/.* \(NOT_FOUND\)$/)
  await refuses(others.address, /does not say which key of Google Cloud KMS opens it/)
})

test('what Google Cloud KMS refuses is said in a sentence without what it said itself', async (t) => {
  const refusals = [
    [403, 'PERMISSION_DENIED', /the credentials have no right to use the key projects\//],
    [400, 'FAILED_PRECONDITION', /does not use the key projects\/.*: it is disabled or was deleted/],
    [401, 'UNAUTHENTICATED', /does not accept the credentials \(UNAUTHENTICATED\)$/],
    [503, 'UNAVAILABLE', /cannot be reached \(UNAVAILABLE\)$/],
    [500, 'INTERNAL', /Google Cloud KMS \(127\.0\.0\.1:\d+\) failed \(13\)$/],
  ] as const
  let refusal: (typeof refusals)[number] | undefined
  const { opening } = await aKey(t, (method) =>
    method === 'decrypt' && refusal !== undefined ? googleError(refusal[0], refusal[1]) : undefined,
  )
  for (const one of refusals) {
    refusal = one
    await refuses(opening, one[2], '@')
  }
})

test('an answer that was changed on the way, is none or has another key in it is refused', async (t) => {
  const bytes = randomBytes(32)
  let instead: ReturnType<GoogleFault>
  const { opening, closing } = await aKey(t, () => instead)
  const decrypts: readonly (readonly [ReturnType<GoogleFault>, RegExp])[] = [
    [
      { status: 200, body: fieldOf('plaintext', bytes) },
      /decrypted something else than the key of this file/,
    ],
    [{ status: 200, body: fieldOf('plaintext', bytes.subarray(1)) }, /decrypted something else/],
    [
      { status: 200, body: { ...fieldOf('plaintext', bytes), plaintextCrc32c: '1' } },
      /gave no valid answer$/,
    ],
    [{ status: 200, body: { plaintext: bytes.toString('base64') } }, /gave no valid answer$/],
    [{ status: 200, body: {} }, /gave no valid answer$/],
    [{ status: 200, body: '<html>' }, /cannot be reached \(UNAVAILABLE\)$/],
    ['end', /cannot be reached \(UNAVAILABLE\)$/],
  ]
  for (const [answer, why] of decrypts) {
    instead = answer
    await refuses(opening, why)
  }
  const encrypted = {
    name: `${'projects/acme-prod/locations/europe-west3/keyRings/vault/cryptoKeys/claviger'}/cryptoKeyVersions/1`,
    ...fieldOf('ciphertext', bytes),
    verifiedPlaintextCrc32c: true,
    verifiedAdditionalAuthenticatedDataCrc32c: true,
  }
  for (const change of [
    { verifiedPlaintextCrc32c: false },
    { verifiedAdditionalAuthenticatedDataCrc32c: undefined },
    { ciphertextCrc32c: '1' },
    { name: 'projects/acme-prod/locations/europe-west3/keyRings/vault/cryptoKeys/other/cryptoKeyVersions/1' },
  ]) {
    instead = { status: 200, body: { ...encrypted, ...change } }
    await refuses(closing, /gave no valid answer$/)
  }
})

test('a redirect is not followed, so that no key and no token goes to another host', async (t) => {
  const elsewhere: string[] = []
  const other = await served(t, ({ method, path }) => {
    elsewhere.push(`${method} ${path}`)
    return { status: 200, body: {} }
  })
  let status: number | undefined
  const { opening, closing } = await aKey(t, () =>
    status === undefined ? undefined : { status, headers: { location: `${other}/elsewhere` }, body: '' },
  )
  for (const one of [301, 302, 303, 307, 308]) {
    status = one
    await refuses(opening, /cannot be reached \(UNAVAILABLE\)$/)
    await refuses(closing, /cannot be reached \(UNAVAILABLE\)$/)
  }
  assert.deepEqual(elsewhere, [])
})

test('an answer that is too long is given up, and does not fill the memory', async (t) => {
  const { answer, isGivenUp } = longAnswer()
  const { opening } = await aKey(t, (method) => (method === 'decrypt' ? answer : undefined))
  await refuses(opening, /cannot be reached \(UNAVAILABLE\)$/)
  assert.ok(isGivenUp())
})

test('settings that are missing or wrong are named, and nothing goes over a network in the clear', async (t) => {
  const { closing, asked, environment } = await aKey(t)
  const before = asked.length
  const tries: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: 'http://kms.example' }, /\(kms\.example\) is not https/],
    [{ CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: 'kms' }, /needs an address in CLOUDSDK_/],
    [{ GOOGLE_APPLICATION_CREDENTIALS: '/nonexistent' }, /its client finds no credentials$/],
    [
      { CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: 'http://127.0.0.1:1' },
      /cannot be reached \(UNAVAILABLE\)$/,
    ],
  ]
  for (const [change, why] of tries) {
    Object.assign(process.env, environment, change)
    await refuses(closing, why)
  }
  Object.assign(process.env, environment)
  assert.equal(asked.length, before)
  await refuses(
    () => closing({ key: 'claviger' }),
    /key of the seal google-kms is the name of a key, such as/,
  )
})

test('a machine without an account is told that it has no credentials, and not that there is no such key', async (t) => {
  const { opening, asked } = await aKey(t)
  const metadata = await served(t, ({ path }) =>
    path.includes('/token')
      ? { status: 404, body: 'no account' }
      : { status: 200, headers: { 'metadata-flavor': 'Google', 'content-type': 'text/plain' }, body: '' },
  )
  const before = { HOME: process.env['HOME'] }
  t.after(() => {
    for (const name of ['GCE_METADATA_HOST', 'METADATA_SERVER_DETECTION']) delete process.env[name]
    Object.assign(process.env, before)
  })
  delete process.env['GOOGLE_APPLICATION_CREDENTIALS']
  Object.assign(process.env, {
    GCE_METADATA_HOST: new URL(metadata).host,
    METADATA_SERVER_DETECTION: 'assume-present',
    HOME: '/nonexistent',
  })
  const askedBefore = asked.length
  await refuses(opening, /was not asked: its client finds no credentials$/)
  assert.equal(asked.length, askedBefore)
})

test('a service that does not answer is given up when nobody waits any more', async (t) => {
  const stop = new AbortController()
  const { key } = await aKey(t, (method) => {
    if (method === 'encrypt') return undefined
    stop.abort()
    return 'hang'
  })
  const loaded: KeyServicePackage = { keyService }
  const asked = { key, bytes: randomBytes(60), bound: 'ab'.repeat(16), signal: stop.signal }
  const answer = await loaded.keyService(process.env).unwrap(asked)
  assert.ok('trouble' in answer)
  assert.equal(answer.trouble, 'failed')
})

test('no setting makes the client write the keys of requests and answers to the log', async (t) => {
  const written: string[] = []
  t.mock.method(process.stderr, 'write', (text: unknown) => {
    written.push(String(text))
    return true
  })
  process.env['GOOGLE_SDK_NODE_LOGGING'] = 'all'
  const { opens } = await aKey(t)
  await opens()
  assert.deepEqual(written, [])
})

test('the checksum is CRC-32C', () => {
  // The check value of the catalogue of CRC algorithms, and RFC 3720, appendix B.4.
  assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283)
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa)
})

async function aKey(t: TestContext, fault?: GoogleFault) {
  const server = await aGoogleKms(t, fault)
  Object.assign(process.env, server.environment)
  const { key } = server
  const otherKey = key.replace('claviger', 'other')
  // A fault that is there from the start would not let it be sealed.
  return { ...server, ...(await aSealedFileKey(seal, { parameters: { key }, otherKey })) }
}
