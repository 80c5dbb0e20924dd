import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { httpServer } from './server.ts'
import type { Answer, Route } from './route.ts'
import { trustedProxies } from './trusted-proxies.ts'

const open: Server[] = []
after(() => {
  for (const server of open) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server whose routes do what no route should. */
async function aServer(
  routes: { readonly [name: string]: Route } = {},
  isTrustedProxy = trustedProxies([]),
  isDraining = () => false,
) {
  const bugs: unknown[] = []
  const server = httpServer({
    routes: new Map(Object.entries({ 'POST /fine': fine, 'GET /fine': fine, ...routes })),
    world: { now: () => 0, elapsed: () => 0, randomBytes: (length) => new Uint8Array(length) },
    isTrustedProxy,
    isDraining,
    onBug: (bug) => bugs.push(bug),
    onAnswered: () => {},
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return { bugs, port, server, url: `http://127.0.0.1:${port}` }
}

const fine: Route = async () => ({ kind: 'ok', body: '{}' })

test('whatever a route throws or answers, its own request gets a 500 and the next one is answered', async () => {
  // What the types rule out, as a route can still do where a cast was wrong.
  const answering = (answer: unknown): Route => {
    return async () => answer as Answer
  }
  const routes: { readonly [name: string]: Route } = {
    'GET /throws': () => Promise.reject(new Error('thrown')),
    'GET /throws-nothing': () => Promise.reject(undefined),
    'GET /throws-at-once': () => {
      throw new Error('thrown before there was a promise')
    },
    'GET /nothing': answering(undefined),
    'GET /no-body': answering({ kind: 'ok', body: undefined }),
    'GET /no-error': answering({ kind: 'error' }),
    'GET /unknown-code': answering({ kind: 'error', error: { code: 99, message: '', details: [] } }),
    'GET /bad-header': answering({ kind: 'ok', body: '', headers: { 'x-header': 'a\r\nb' } }),
    'GET /bad-type': answering({ kind: 'ok', body: '', contentType: 'text/\nplain' }),
  }
  const { url, bugs } = await aServer(routes)
  for (const name of Object.keys(routes)) {
    const answer = await fetch(`${url}${name.slice('GET '.length)}`)
    assert.equal(answer.status, 500, name)
    const { code, message, details } = await answer.json()
    assert.deepEqual([code, details], [13, []], name)
    assert.match(message, /^internal server error \([0-9a-f-]{36}\)$/, name)
    assert.equal((await fetch(`${url}/fine`)).status, 200, name)
  }
  assert.equal(bugs.length, Object.keys(routes).length)
})

test('a client that goes away before, while and after its answer is made harms nobody', async () => {
  const held = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const { url, port, bugs } = await aServer({
    'POST /held': async () => {
      arrived.resolve()
      await held.promise
      return { kind: 'ok', body: 'x'.repeat(4 * 1024 * 1024) }
    },
  })
  const halfBody = await connected(port)
  halfBody.write('POST /fine HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf')
  halfBody.resetAndDestroy()
  const waiting = await connected(port)
  waiting.write('POST /held HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
  await arrived.promise
  waiting.resetAndDestroy()
  await once(waiting, 'close')
  held.resolve()
  assert.equal((await fetch(`${url}/fine`)).status, 200)
  assert.deepEqual(bugs, [])
})

test('whatever bytes come over a connection, the next request is answered and nothing counts as a bug', async () => {
  const { url, port, bugs } = await aServer()
  const line = fc.constantFrom(
    'GET /fine HTTP/1.1\r\n',
    'POST /fine HTTP/1.1\r\n',
    'GET http://elsewhere/%zz%00 HTTP/1.1\r\n',
    'OPTIONS * HTTP/1.1\r\n',
    'CONNECT host:1 HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /\u{ff}\u{fe}? HTTP/1.0\r\n',
    'host: x\r\n',
    'content-length: 5\r\n',
    'content-length: -1\r\n',
    'transfer-encoding: chunked\r\n',
    'upgrade: websocket\r\nconnection: upgrade\r\n',
    'expect: 100-continue\r\n',
    'expect: the unexpected\r\n',
    'x-stamp: \u{0}\r\n',
    '\r\n',
    'fffffffff\r\n',
    '5\r\nhello\r\n0\r\n\r\n',
    `x: ${'y'.repeat(20_000)}\r\n`,
  )
  const piece = fc.oneof({ weight: 4, arbitrary: line }, fc.string({ unit: 'binary', maxLength: 40 }))
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.boolean(), async (pieces, isCutOff) => {
      const socket = await connected(port)
      for (const bytes of pieces) socket.write(bytes, 'latin1')
      if (isCutOff) socket.resetAndDestroy()
      else {
        socket.end()
        socket.resume()
      }
      await once(socket, 'close')
      const answer = await fetch(`${url}/fine`)
      assert.equal(answer.status, 200)
      await answer.arrayBuffer()
    }),
    { numRuns: 150 },
  )
  assert.deepEqual(bugs, [])
})

test('a client that reads nothing of its answer for half a minute is cut off', async () => {
  const answered = Promise.withResolvers<void>()
  const { port, server } = await aServer({
    'GET /long': async () => {
      setImmediate(answered.resolve)
      return { kind: 'ok', body: 'x'.repeat(16 * 1024 * 1024) }
    },
  })
  const accepted = once(server, 'connection')
  const client = await connected(port)
  client.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
  // What a server accepts is a socket.
  const [atServer] = (await accepted) as [Socket]
  await answered.promise
  assert.equal(atServer.timeout, 30_000)
  // As if that time had passed.
  atServer.emit('timeout')
  await once(atServer, 'close')
})

test('long bodies that do not end take up a bounded memory, and keep nobody out', async () => {
  const { port, url, bugs } = await aServer()
  const body = Buffer.alloc(1024 * 1024 - 1, ' ')
  const heads: Promise<string>[] = []
  for (let n = 0; n < 150; n++) {
    const socket = await connected(port, '127.0.0.9')
    const head = Promise.withResolvers<string>()
    socket.once('data', (chunk: Buffer) => head.resolve(chunk.toString('latin1').slice(0, 12)))
    heads.push(head.promise)
    socket.write('POST /fine HTTP/1.1\r\nhost: x\r\ncontent-length: 1048576\r\n\r\n')
    await new Promise((sent) => socket.write(body, sent))
  }
  // The oldest: 64 of these bodies are within the share of their network.
  for (const head of heads.slice(0, 150 - 64)) assert.equal(await head, 'HTTP/1.1 503')
  const honest = await fetch(`${url}/fine`, { method: 'POST', body: body.subarray(1024) })
  assert.equal(honest.status, 200)
  assert.deepEqual(bugs, [])
})

test('long bodies of one network that wait for their answers keep out no short one, and none of another', async () => {
  const held = Promise.withResolvers<void>()
  let settled = 0
  const { port, url } = await aServer({
    'POST /held': async () => {
      settled++
      await held.promise
      return { kind: 'ok', body: '{}' }
    },
  })
  const body = Buffer.alloc(1024 * 1024, ' ')
  const head = 'POST /held HTTP/1.1\r\nhost: x\r\ncontent-length: 1048576\r\n\r\n'
  for (let n = 0; n < 128; n++) {
    const socket = await connected(port, '127.0.0.9')
    // Refused: the others of this network take up its share.
    socket.once('data', () => settled++)
    socket.write(Buffer.concat([Buffer.from(head), body]))
  }
  while (settled < 128) await new Promise((resolve) => setImmediate(resolve))
  const statusFrom = async (localAddress: string, length: number): Promise<string> => {
    const socket = await connected(port, localAddress)
    socket.write(`POST /fine HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`)
    socket.write(body.subarray(0, length))
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    return chunk.toString('latin1').slice(9, 12)
  }
  assert.equal(await statusFrom('127.0.0.9', 4 * 1024), '200')
  assert.equal(await statusFrom('127.0.0.9', 1024 * 1024), '503')
  assert.equal(await statusFrom('127.0.0.1', 1024 * 1024), '200')
  held.resolve()
  assert.equal((await fetch(`${url}/fine`)).status, 200)
})

test('of many headers none is overlooked: not what a trusted proxy appends, and no second Host', async () => {
  const address: Route = async ({ clientAddress }) => ({ kind: 'ok', body: clientAddress })
  const { port } = await aServer({ 'GET /address': address }, trustedProxies(['127.0.0.1']))
  const answerTo = async (appended: string): Promise<string> => {
    const socket = await connected(port)
    const many = Array.from({ length: 2_100 }, (_, at) => `${at.toString(36)}:\r\n`).join('')
    const sent = `GET /address HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.1\r\n${many}`
    socket.write(`${sent}${appended}connection: close\r\n\r\n`)
    return (await socket.setEncoding('latin1').toArray()).join('')
  }
  assert.match(await answerTo('x-forwarded-for: 203.0.113.9\r\n'), /\r\n\r\n203\.0\.113\.9$/)
  assert.match(await answerTo('host: y\r\n'), /there is more than one Host header/)
})

const HOST = 'host: x\r\n'
const LENGTH = 'content-length: 5\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n'
const IN_CHUNKS = '5\r\nhello\r\n0\r\n\r\n'

for (const [what, head, body] of [
  ['two lengths', `POST /told HTTP/1.1\r\n${HOST}${LENGTH}${LENGTH}\r\n`, 'hello'],
  ['two lengths that differ', `POST /told HTTP/1.1\r\n${HOST}content-length: 6\r\n${LENGTH}\r\n`, 'hello'],
  ['a list of lengths', `POST /told HTTP/1.1\r\n${HOST}content-length: 5, 5\r\n\r\n`, 'hello'],
  ['a length with a sign', `POST /told HTTP/1.1\r\n${HOST}content-length: +5\r\n\r\n`, 'hello'],
  ['a length and chunks', `POST /told HTTP/1.1\r\n${HOST}${LENGTH}${CHUNKED}\r\n`, IN_CHUNKS],
  ['chunks twice', `POST /told HTTP/1.1\r\n${HOST}${CHUNKED}${CHUNKED}\r\n`, IN_CHUNKS],
  [
    'chunks that are not last',
    `POST /told HTTP/1.1\r\n${HOST}transfer-encoding: chunked, x\r\n\r\n`,
    IN_CHUNKS,
  ],
  ['a space in a name', `POST /told HTTP/1.1\r\n${HOST}transfer-encoding : chunked\r\n\r\n`, IN_CHUNKS],
  ['a header on two lines', `POST /told HTTP/1.1\r\n${HOST}${LENGTH}x-stamp: a\r\n b\r\n\r\n`, 'hello'],
  ['lines without a return', `POST /told HTTP/1.1\nhost: x\ncontent-length: 5\n\n`, 'hello'],
] as const)
  test(`a request with ${what} is refused, and nothing behind it is read as another one`, async () => {
    const { told, answerTo, bugs } = await aTellingServer()
    const behind = `POST /told HTTP/1.1\r\n${HOST}content-length: 0\r\n\r\n`
    const answer = await answerTo(head + body + behind + behind)
    assert.deepEqual(told, [])
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'])
    assert.deepEqual(bugs, [])
  })

const LAST = 'connection: close\r\n'

for (const [what, sent, bodies] of [
  [
    'a pair at once',
    `POST /told HTTP/1.1\r\n${HOST}${LENGTH}\r\nhelloPOST /told HTTP/1.1\r\n${HOST}${LAST}\r\n`,
    ['hello', ''],
  ],
  [
    'a wait for its answer to the head',
    `POST /told HTTP/1.1\r\n${HOST}${LAST}expect: 100-continue\r\n${LENGTH}\r\nhello`,
    ['hello'],
  ],
  [
    'an upgrade',
    `POST /told HTTP/1.1\r\n${HOST}connection: close, upgrade\r\nupgrade: h2c\r\n${LENGTH}\r\nhello`,
    ['hello'],
  ],
  ['the older version and no host', `POST /told HTTP/1.0\r\n${LENGTH}\r\nhello`, ['hello']],
  [
    'headers behind its body',
    `POST /told HTTP/1.1\r\n${HOST}${LAST}${CHUNKED}\r\n5;a=b\r\nhello\r\n0\r\nx-stamp: a\r\nx-forwarded-for: 192.0.2.1\r\nhost: y\r\n\r\n`,
    ['hello'],
  ],
] as const)
  test(`a request with ${what} is read once, with the headers before its body alone`, async () => {
    const { told, answerTo, bugs } = await aTellingServer()
    const answer = await answerTo(sent)
    assert.deepEqual(
      told,
      bodies.map((body) => ({ body, stamp: {}, clientAddress: '127.0.0.1' })),
    )
    assert.equal(answer.match(/HTTP\/1\.1 200/g)?.length, bodies.length)
    assert.deepEqual(bugs, [])
  })

test('a target with a host in it is no path of ours', async () => {
  const { told, answerTo } = await aTellingServer()
  for (const target of ['http://x/told', 'http://elsewhere/told', '//told', '/told#x', '/./told'])
    assert.match(await answerTo(`POST ${target} HTTP/1.1\r\n${HOST}${LAST}\r\n`), /^HTTP\/1\.1 404 /, target)
  assert.deepEqual(told, [])
})

/** A server that believes a proxy at this machine, and what its only route was told. */
async function aTellingServer() {
  const told: object[] = []
  const route: Route = async ({ body, stamp, clientAddress }) => {
    told.push({ body: Buffer.from(body).toString(), stamp, clientAddress })
    return { kind: 'ok', body: '{}' }
  }
  const { port, bugs } = await aServer({ 'POST /told': route }, trustedProxies(['127.0.0.1']))
  const answerTo = async (sent: string): Promise<string> => {
    const socket = await connected(port)
    socket.write(sent, 'latin1')
    return (await socket.setEncoding('latin1').toArray()).join('')
  }
  return { told, answerTo, bugs }
}

test('before the end every answer is the last of its connection, also to a browser that asks beforehand', async () => {
  const { port } = await aServer({}, trustedProxies([]), () => true)
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
    const socket = await connected(port)
    socket.write(`${method} /fine HTTP/1.1\r\nhost: x\r\n\r\n`)
    // It ends, or the test does not.
    const answer = (await socket.setEncoding('latin1').toArray()).join('')
    assert.match(answer, /\r\nconnection: close\r\n/i, method)
  }
})

async function connected(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1', localAddress })
  // A server may cut off what it cannot read; that is no fault of this test.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
