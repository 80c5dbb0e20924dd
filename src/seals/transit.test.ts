import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { longAnswer } from '../../test/support/key-services/long-answer.ts'
import { served } from '../../test/support/key-services/served.ts'
import { Secret } from '../trusted/base/secret.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import type { SealMeans } from './seal.ts'
import { transit } from './transit.ts'

const FILE = 'ab'.repeat(16)
const TOKEN = 'secret-token'
const KEY = new Secret(randomBytes(32))

const entry = { seal: 'transit', mount: 'transit', key: 'root', wrapped: 'vault:v1:AAAA' }

test('the engine is asked as its documentation says, with the token, and bound to the file', async (t) => {
  const asked: unknown[] = []
  const means = await aServer(t, async (request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, token: headers['x-vault-token'], namespace: headers['x-vault-namespace'] })
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    response.end(JSON.stringify({ data: { plaintext: Buffer.from(KEY.reveal()).toString('base64') } }))
  })
  await transit.open(entry, FILE, meansFor({ ...means.environment, VAULT_NAMESPACE: 'team' }))
  assert.deepEqual(asked, [
    { method: 'POST', url: '/v1/transit/decrypt/root', token: TOKEN, namespace: 'team' },
    {
      ciphertext: 'vault:v1:AAAA',
      associated_data: Buffer.from(`claviger root key ${FILE}`).toString('base64'),
    },
  ])
})

test('an answer that is no key, and a server that sends the token elsewhere, are refused', async (t) => {
  let elsewhere = 0
  const other = await aServer(t, (_request, response) => {
    elsewhere++
    response.end('{}')
  })
  const answers: readonly (readonly [(response: ServerResponse) => void, RegExp])[] = [
    [(response) => response.end('{}'), /answered no plaintext/],
    [(response) => response.end('not json'), /cannot be asked/],
    [
      (response) => response.end(JSON.stringify({ data: { plaintext: 'AAAA' } })),
      /something else than a key/,
    ],
    [(response) => response.writeHead(503).end(), /answered 503 to transit\/decrypt\/root/],
    [(response) => response.destroy(), /cannot be asked/],
    [
      (response) =>
        response
          .writeHead(307, { location: `${other.environment['VAULT_ADDR']}/v1/transit/decrypt/root` })
          .end(),
      /answered 307 to transit/,
    ],
  ]
  for (const [answer, why] of answers)
    await refuses(await aServer(t, (_request, response) => answer(response)), entry, why)
  assert.equal(elsewhere, 0)
})

test('an answer that is too long is given up, and does not fill the memory', async (t) => {
  const { answer, isGivenUp } = longAnswer()
  const address = await served(t, () => answer)
  const means = meansFor({ BAO_ADDR: address, BAO_TOKEN: TOKEN })
  await refuses(means, entry, /answered transit\/decrypt\/root with too much$/)
  assert.ok(isGivenUp())
})

test('what fails is said without the token, a password of the address, or what was answered', async (t) => {
  const { environment } = await aServer(t, (_request, response) => response.end(`{"data":${TOKEN}`))
  const address = environment['VAULT_ADDR'] ?? ''
  const withPassword = address.replace('127', `root:${TOKEN}@127`)
  const tries: readonly (readonly [SealMeans['environment'], RegExp])[] = [
    [environment, /cannot be asked: its answer is no JSON$/],
    [{ ...environment, VAULT_TOKEN: `token\n${TOKEN}\n` }, /the token of the seal transit is not one word$/],
    [{ ...environment, VAULT_ADDR: withPassword }, /127\.0\.0\.1:\d+ has a user or a password/],
    [{ ...environment, VAULT_ADDR: 'http://127.0.0.1:1' }, /cannot be asked: \w+$/],
  ]
  for (const [given, why] of tries) await refuses(meansFor(given), entry, why)
})

test('the file cannot name a server, and a server across a network is asked over TLS alone', async () => {
  await refuses(meansFor({}), { ...entry, address: 'https://evil.example' }, /does not say which key/)
  await refuses(meansFor({ BAO_TOKEN: TOKEN }), entry, /needs BAO_ADDR or VAULT_ADDR/)
  await refuses(meansFor({ BAO_ADDR: 'http://bao.example:8200', BAO_TOKEN: TOKEN }), entry, /is not https/)
  await refuses(meansFor({ BAO_ADDR: 'https://bao.example:8200' }), entry, /needs BAO_TOKEN or VAULT_TOKEN/)
  await refuses(meansFor({}), { ...entry, mount: '../sys' }, /does not say which key/)
})

async function refuses(means: SealMeans, found: typeof entry | object, why: RegExp): Promise<void> {
  await assert.rejects(
    () => transit.open({ seal: 'transit', ...found }, FILE, means),
    (error) => error instanceof RootKeyError && why.test(error.message) && !error.message.includes(TOKEN),
  )
}

function meansFor(environment: SealMeans['environment']): SealMeans {
  return { environment, randomBytes }
}

async function aServer(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<SealMeans> {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  // It listens on a port, and not on a pipe.
  const { port } = server.address() as AddressInfo
  return meansFor({ VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: TOKEN })
}
