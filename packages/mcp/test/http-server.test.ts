import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { TOKEN } from './served.ts'
import { aSetting } from './setting.ts'

const setting = await aSetting()
after(() => setting.close())
const { url } = setting
const { port } = new URL(url)
const here = `127.0.0.1:${port}`

type Sent = {
  readonly method?: string
  readonly path?: string
  readonly headers?: object
  readonly body?: string
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

/** As it is, unlike `fetch`, which chooses Host itself. */
function send({ method = 'POST', path = '/mcp', headers = {}, body = initialize }: Sent) {
  const all = {
    host: here,
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new Promise<{ status: number; text: string; headers: object }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: given, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            headers: answer.headers,
          }),
        )
      },
    )
    // A server that refuses a body may close before it has come whole.
    sent.on('error', reject)
    sent.end(method === 'GET' ? undefined : body)
  })
}

test('a holder of the token is answered, by either name of this machine', async () => {
  assert.equal((await send({})).status, 200)
  assert.equal((await send({ headers: { host: `localhost:${port}` } })).status, 200)
  assert.equal((await send({ headers: { origin: `http://localhost:${port}` } })).status, 200)
})

test('a page of another name is refused, also when that name leads here', async () => {
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `[::1]:${port}`,
    `${here}.`,
    `evil.localhost:${port}`,
    `evil.${here}`,
  ]) {
    const { status } = await send({ headers: { host } })
    assert.ok([400, 403].includes(status), `${host}: ${status}`)
  }
  for (const origin of [
    'http://evil.example',
    'null',
    `https://${here}`,
    'http://127.0.0.1',
    `http://${here}.evil.example`,
  ])
    assert.equal((await send({ headers: { origin } })).status, 403, origin)
})

test('an answer invites no other origin', async () => {
  for (const method of ['POST', 'OPTIONS']) {
    const { headers } = await send({ method })
    const invites = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
    assert.deepEqual(invites, [])
  }
})

test('nobody is answered without the token, and the refusal does not tell the agent', async () => {
  for (const authorization of [
    undefined,
    '',
    TOKEN,
    'Bearer',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
  ]) {
    const { status, text } = await send({ headers: { authorization } })
    assert.equal(status, 401, String(authorization))
    assert.ok(!text.includes(TOKEN) && !text.includes('Agent'))
  }
})

test('there is one path, and a body of more than a mebibyte is refused', async () => {
  for (const path of ['/', '/mcp/', '/mcp?x', '/../mcp', '/metrics', '//mcp'])
    assert.equal((await send({ path })).status, 404, path)
  const { status } = await send({
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { x: 'x'.repeat(1_100_000) } }),
  })
  assert.equal(status, 413)
})

test('what is no message of the protocol is refused, and the server goes on', async () => {
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '[1]',
    '"x"',
    '{"jsonrpc":"2.0"}',
    '{"__proto__":{"jsonrpc":"2.0"}}',
  ]) {
    const { status } = await send({ body })
    assert.ok(status >= 400 && status < 500, `${body}: ${status}`)
  }
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'])
    assert.ok((await send({ method })).status >= 400, method)
  assert.equal((await send({})).status, 200)
})

test('the client of the protocol of 2026 is served, progress and all', async () => {
  const client = await setting.connected('auto')
  const { tools } = await client.listTools()
  assert.equal(tools.length, 10)
  const result = await client.callTool({ name: 'who_am_i', arguments: {} })
  assert.match(JSON.stringify(result.structuredContent), new RegExp(setting.agent.userId))
})
