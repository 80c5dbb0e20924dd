import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { credentialsFrom } from '../src/key-file.ts'
import { aKeyFile, aSetting, toldBy } from './setting.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startHttpServer } from '../src/http-server.ts'
import { mcpServers } from '../src/server.ts'

const setting = await aSetting()
after(() => setting.close())
const { service, agent } = setting

test('a key file that others can read is refused', () => {
  for (const mode of [0o644, 0o640, 0o604, 0o660, 0o601]) {
    const file = aKeyFile(service.baseUrl, agent)
    chmodSync(file, mode)
    assert.throws(
      () => credentialsFrom(file, {}),
      /can be read by other users of this machine \(mode \d+\): chmod 600 it/,
    )
  }
  assert.equal(credentialsFrom(aKeyFile(service.baseUrl, agent), {}).organizationId, agent.organizationId)
})

test('what is wrong with a key file is said, and never the key', () => {
  const secret = Buffer.from(agent.key.privateKey).toString('hex')
  const changed: readonly (readonly [RegExp, string, RegExp])[] = [
    [/^BASE_URL=.*$/m, '', /BASE_URL is not in /],
    [/^BASE_URL=.*$/m, 'BASE_URL=file:///etc', /BASE_URL of .* is no address/],
    [/^API_PRIVATE_KEY=.*$/m, `API_PRIVATE_KEY=${'0'.repeat(64)}`, /is no private key of P-256/],
    [/^API_PRIVATE_KEY=.*$/m, `API_PRIVATE_KEY=${secret}00`, /is no private key of P-256/],
    [/^API_PUBLIC_KEY=02|^API_PUBLIC_KEY=03/m, 'API_PUBLIC_KEY=05', /does not belong to API_PRIVATE_KEY/],
  ]
  for (const [from, to, says] of changed) {
    const file = aKeyFile(service.baseUrl, agent)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    assert.throws(
      () => credentialsFrom(file, {}),
      (error: Error) => says.test(error.message) && !error.message.includes(secret),
    )
  }
})

test('the key of a member of the root quorum is not used, because no policy limits it', async () => {
  const servers = mcpServers(credentialsFrom(aKeyFile(service.baseUrl, service.root), {}), {
    now: service.world.now,
    pause: async () => {},
  })
  const http = await startHttpServer(servers, { port: 0, token: 't', onError: () => {} })
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: 'Bearer t' } }
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }))
  const asked = { signWith: setting.ethereum, chain: 'ethereum', message: 'x' }
  for (const [name, given] of [
    ['who_am_i', {}],
    ['sign_message', asked],
  ] as const) {
    const { isError, told } = toldBy(await client.callTool({ name, arguments: given }))
    assert.equal(isError, true)
    assert.match(told.says, /a member of the root quorum, and policies do not limit those/)
  }
  await client.close()
  await http.close()
})

test('a key that was revoked, and a service that is away, are told apart and leave nothing in doubt', async () => {
  const gone = await service.user('Gone')
  const surroundings = { now: service.world.now, pause: async () => {} }
  const told = async (file: string) => {
    const http = await startHttpServer(mcpServers(credentialsFrom(file, {}), surroundings), {
      port: 0,
      token: 't',
      onError: () => {},
    })
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: 'Bearer t' } }
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }))
    const answer = toldBy(await client.callTool({ name: 'who_am_i', arguments: {} }))
    await client.close()
    await http.close()
    return answer
  }
  const file = aKeyFile(service.baseUrl, gone)
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [gone.userId] })
  assert.match((await told(file)).told.advice, /^The key of this agent is not accepted/)
  assert.equal((await told(aKeyFile('http://127.0.0.1:9', agent))).told.says, 'The service cannot be asked.')
})
