import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { KeyServicePackage } from '../../../src/seals/key-services/key-service.ts'
import { sealNamed } from '../../../src/seals/list.ts'
import {
  anAzureKeyVault,
  type AzureFault,
  azureError,
} from '../../../test/support/key-services/azure-key-vault-server.ts'
import { longAnswer } from '../../../test/support/key-services/long-answer.ts'
import { aSealedFileKey, refuses } from '../../../test/support/key-services/sealed-file-key.ts'
import { keyService } from '../src/azure-key-vault.ts'

const seal = sealNamed('azure-key-vault')

test('Azure Key Vault gives the key of a file back, to a token for this vault alone', async (t) => {
  const { asked, wrong, key, entry, opens, others } = await aKey(t)
  await opens()
  assert.deepEqual(wrong, [])
  assert.equal(asked.at(-1), 'unwrapKey')
  // The version too: a newer one does not decrypt it.
  assert.equal(entry.key, key)
  await refuses(others.file, /Azure Key Vault decrypted something else than the key of this file/)
  await refuses(others.wrapped, /decrypted something else/)
  await refuses(others.sealed, /decrypted something else/)
  await refuses(others.key, /Azure Key Vault \(127\.0\.0\.1:\d+\) knows no key other\/.* \(KeyNotFound\)$/)
  await refuses(others.address, /does not say which key of Azure Key Vault opens it/)
})

test('a service that may not read the key seals with the version that is named, in the vault', async (t) => {
  const { closing, asked, wrong, opens, key } = await aKey(t, (operation) =>
    operation === 'get' ? azureError(403, 'ForbiddenByRbac') : undefined,
  )
  await opens()
  assert.deepEqual(
    asked.filter((operation) => operation !== 'get'),
    ['wrapKey', 'unwrapKey'],
  )
  assert.deepEqual(wrong, [])
  assert.ok(key.includes('/'))
  await refuses(
    () => closing({ key: 'claviger' }),
    /have no right to use the key claviger \(ForbiddenByRbac\)$/,
  )
})

test('a key that has expired opens the files that it sealed, and seals no other one', async (t) => {
  const { life, opens, closing, wrong } = await aKey(t)
  life.exp = 1
  await opens()
  await refuses(closing, /does not use the key claviger: it is disabled or was deleted \(KeyExpired\)$/)
  assert.deepEqual(wrong, [])
})

test('what Azure Key Vault refuses is said in a sentence without what it said itself', async (t) => {
  const refusals = [
    [
      403,
      'ForbiddenByRbac',
      /the credentials have no right to use the key claviger\/.* \(ForbiddenByRbac\)$/,
    ],
    [403, 'KeyDisabled', /does not use the key claviger\/.*: it is disabled or was deleted \(KeyDisabled\)$/],
    [400, 'BadParameter', /does not decrypt it/],
    [503, 'Busy', /Azure Key Vault \(127\.0\.0\.1:\d+\) failed \(Busy\)$/],
  ] as const
  let refusal: (typeof refusals)[number] | undefined
  const { opening, secret } = await aKey(t, (operation) =>
    operation === 'unwrapKey' && refusal !== undefined ? azureError(refusal[0], refusal[1]) : undefined,
  )
  for (const one of refusals) {
    refusal = one
    await refuses(opening, one[2], secret)
  }
})

test('an answer that is none or has another key in it, and a challenge for another resource, are refused', async (t) => {
  const value = (length: number) => randomBytes(length).toString('base64url')
  let fault: readonly [string, ReturnType<AzureFault>] | undefined
  const { opening, secret, asked } = await aKey(t, (operation) =>
    operation === fault?.[0] ? fault[1] : undefined,
  )
  const answers: readonly (readonly [string, ReturnType<AzureFault>, RegExp])[] = [
    [
      'unwrapKey',
      { status: 200, body: { value: value(32) } },
      /decrypted something else than the key of this/,
    ],
    ['unwrapKey', { status: 200, body: { value: value(31) } }, /decrypted something else/],
    ['unwrapKey', { status: 200, body: {} }, /gave no valid answer$/],
    ['unwrapKey', { status: 200, body: '<html>' }, /Azure Key Vault \(127\.0\.0\.1:\d+\) (cannot|failed)/],
    ['unwrapKey', 'end', /cannot be reached \(ECONNRESET\)$/],
  ]
  for (const [operation, answer, why] of answers) {
    fault = [operation, answer]
    await refuses(opening, why, secret)
  }
  const before = asked.length
  const foreign = 'Bearer authorization="https://evil.example/adfs", resource="https://vault.azure.net"'
  fault = ['challenge', { status: 401, headers: { 'WWW-Authenticate': foreign } }]
  await refuses(opening, /Azure Key Vault \(127\.0\.0\.1:\d+\) failed/, secret)
  assert.equal(asked.length, before)
})

test('an answer that is too long is given up, and does not fill the memory', async (t) => {
  const { answer, isGivenUp } = longAnswer()
  const { opening } = await aKey(t, (operation) => (operation === 'unwrapKey' ? answer : undefined))
  await refuses(opening, /cannot be reached \(PARSE_ERROR\)$/)
  assert.ok(isGivenUp())
})

test('settings that are missing or wrong are named, and nothing goes over a network in the clear', async (t) => {
  const { closing, asked, environment, secret } = await aKey(t)
  const before = asked.length
  const tries: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ AZURE_KEYVAULT_URL: '' }, /Azure Key Vault needs AZURE_KEYVAULT_URL/],
    [{ AZURE_KEYVAULT_URL: 'http://127.0.0.1:1' }, /\(127\.0\.0\.1:1\) is not https/],
    [{ AZURE_KEYVAULT_URL: 'https://127.0.0.1:1' }, /cannot be reached \(ECONNREFUSED\)$/],
    [{ AZURE_CLIENT_SECRET: 'wrong' }, /does not accept the credentials \(AuthenticationError\)$/],
    [{ AZURE_CLIENT_ID: '' }, /its client finds no credentials/],
  ]
  for (const [change, why] of tries) {
    Object.assign(process.env, environment, change)
    await refuses(closing, why, secret)
  }
  Object.assign(process.env, environment)
  assert.equal(asked.length, before)
  await refuses(
    () => closing({ key: 'https://evil.vault.azure.net/keys/k' }),
    /is the name of a key, such as/,
  )
})

test('a service that does not answer is given up when nobody waits any more', async (t) => {
  const stop = new AbortController()
  const { key } = await aKey(t, (operation) => {
    if (operation !== 'unwrapKey') return undefined
    stop.abort()
    return 'hang'
  })
  const loaded: KeyServicePackage = { keyService }
  const asked = { key, bytes: randomBytes(256), bound: '', signal: stop.signal }
  const answer = await loaded.keyService(process.env).unwrap(asked)
  assert.ok('trouble' in answer)
  assert.equal(answer.trouble, 'failed')
})

async function aKey(t: TestContext, fault?: AzureFault) {
  const server = await anAzureKeyVault(t, fault)
  Object.assign(process.env, server.environment)
  setDefaultCACertificates([...getCACertificates('default'), server.certificate.cert])
  const { key } = server
  const otherKey = key.replace('claviger', 'other')
  const isRead = fault?.('get') === undefined
  const parameters = { key: isRead ? 'claviger' : key }
  return { ...server, ...(await aSealedFileKey(seal, { parameters, otherKey })) }
}
