import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import type { KeyServicePackage } from '../../../src/seals/key-services/key-service.ts'
import { sealNamed } from '../../../src/seals/list.ts'
import { anAwsKms, awsError, type AwsFault } from '../../../test/support/key-services/aws-kms-server.ts'
import { longAnswer } from '../../../test/support/key-services/long-answer.ts'
import { aSealedFileKey, refuses } from '../../../test/support/key-services/sealed-file-key.ts'
import { keyService } from '../src/aws-kms.ts'

const seal = sealNamed('aws-kms')

test('AWS KMS gives the key of a file back, by signed requests that are bound to the file', async (t) => {
  const { asked, wrong, arn, entry, opens, others } = await aKey(t)
  await opens()
  assert.deepEqual(wrong, [])
  assert.deepEqual(asked, ['Encrypt', 'Decrypt'])
  // An alias can be given to another key.
  assert.equal(entry.key, arn)
  await refuses(
    others.file,
    /AWS KMS \(eu-central-1\) does not decrypt it: .* \(InvalidCiphertextException\)$/,
  )
  await refuses(others.wrapped, /does not decrypt it/)
  await refuses(others.sealed, /AWS KMS decrypted something else than the key of this file/)
  await refuses(others.key, /knows no key .* \(NotFoundException\)$/)
  await refuses(others.address, /does not say which key of AWS KMS opens it/)
})

test('what AWS KMS refuses is said in a sentence without what it said itself', async (t) => {
  const refusals = [
    ['AccessDeniedException', /the credentials have no right to use the key arn:/],
    ['DisabledException', /does not use the key arn:.*: it is disabled or was deleted/],
    ['KMSInvalidStateException', /does not use the key/],
    ['ExpiredTokenException', /does not accept the credentials/],
    ['ValidationException', /AWS KMS \(eu-central-1\) failed \(ValidationException\)$/],
  ] as const
  let type: string | undefined
  const { opening, secret } = await aKey(t, (operation) =>
    operation === 'Decrypt' && type !== undefined ? awsError(type) : undefined,
  )
  for (const [name, why] of refusals) {
    type = name
    await refuses(opening, why, secret)
  }
})

test('an answer that is none, for another key or with another key in it is refused', async (t) => {
  const Plaintext = Buffer.from(randomBytes(32)).toString('base64')
  let instead: ReturnType<AwsFault>
  const { opening, arn } = await aKey(t, (operation) => (operation === 'Decrypt' ? instead : undefined))
  const answers: readonly (readonly [ReturnType<AwsFault>, RegExp])[] = [
    [{ status: 200, body: { Plaintext, KeyId: arn } }, /decrypted something else than the key of this file/],
    [{ status: 200, body: { Plaintext: 'AAAA', KeyId: arn } }, /decrypted something else/],
    [{ status: 200, body: { Plaintext, KeyId: 'arn:aws:kms:x' } }, /gave no valid answer$/],
    [{ status: 200, body: { KeyId: arn } }, /gave no valid answer$/],
    [{ status: 200, body: '<html>' }, /gave no valid answer \(SyntaxError\)$/],
    [
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      /AWS KMS \(eu-central-1\) (failed|gave no)/,
    ],
  ]
  for (const [answer, why] of answers) {
    instead = answer
    await refuses(opening, why)
  }
})

test('an answer that is too long is given up, and does not fill the memory', async (t) => {
  const { answer, isGivenUp } = longAnswer()
  const { opening } = await aKey(t, (operation) => (operation === 'Decrypt' ? answer : undefined))
  await refuses(opening, /gave no valid answer \(InvalidAnswer\)$/)
  assert.ok(isGivenUp())
})

test('settings that are missing or wrong are named, and nothing goes over a network in the clear', async (t) => {
  const { closing, asked } = await aKey(t)
  const before = asked.length
  const tries: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ AWS_REGION: undefined }, /AWS KMS needs AWS_REGION/],
    [{ AWS_ENDPOINT_URL_KMS: 'http://kms.example' }, /\(kms\.example\) is not https/],
    [{ AWS_ACCESS_KEY_ID: undefined }, /its client finds no credentials \(CredentialsProviderError\)$/],
    [{ AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:1' }, /cannot be reached \(ECONNREFUSED\)$/],
  ]
  for (const [change, why] of tries) {
    Object.assign(process.env, change)
    for (const [name, value] of Object.entries(change)) if (value === undefined) delete process.env[name]
    await refuses(closing, why)
    Object.assign(process.env, (await anAwsKms(t)).environment)
  }
  assert.equal(asked.length, before)
  await refuses(() => closing({ key: 'a key' }), /key of the seal aws-kms is the name of a key/)
  await refuses(() => closing({}), /the seal aws-kms needs key=/)
})

test('a service that does not answer is given up when nobody waits any more', async (t) => {
  const stop = new AbortController()
  const { arn } = await aKey(t, (operation) => {
    if (operation === 'Encrypt') return undefined
    stop.abort()
    return 'hang'
  })
  const loaded: KeyServicePackage = { keyService }
  const asked = { key: arn, bytes: randomBytes(60), bound: 'ab'.repeat(16), signal: stop.signal }
  const answer = await loaded.keyService(process.env).unwrap(asked)
  assert.deepEqual(answer, { trouble: 'failed', code: 'AbortError', at: 'eu-central-1' })
})

async function aKey(t: TestContext, fault?: AwsFault) {
  const server = await anAwsKms(t, fault)
  Object.assign(process.env, server.environment)
  const parameters = { key: 'alias/claviger' }
  const otherKey = 'alias/other'
  return { ...server, ...(await aSealedFileKey(seal, { parameters, otherKey })) }
}
