import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { connectionLimiter } from './connection-limits.ts'
import { httpServer } from './server.ts'
import type { Route } from './route.ts'

const closing: (() => void)[] = []
after(() => {
  for (const close of closing) close()
})

/** A server with these limits; the loopback has many addresses to come from. */
async function aServer(
  limits: { readonly connectionsMax: number; readonly perAddressMax: number },
  {
    held,
    stream,
    isTrustedProxy = () => false,
    limit = connectionLimiter(limits, isTrustedProxy),
  }: {
    held?: Route
    stream?: Route
    isTrustedProxy?: (address: string) => boolean
    limit?: ReturnType<typeof connectionLimiter>
  } = {},
) {
  const fine: Route = async () => ({ kind: 'ok', body: '{}' })
  const server = httpServer({
    routes: new Map([
      ['GET /', fine],
      ['GET /held', held ?? fine],
      ['POST /', fine],
      ['POST /stream', stream ?? fine],
    ]),
    world: { now: () => 0, elapsed: () => 0, randomBytes: (length) => new Uint8Array(length) },
    isTrustedProxy,
    onBug: (bug) => assert.fail(String(bug)),
    onAnswered: () => {},
  })
  limit(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    close(server)
  })
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const from = async (localAddress: string, sent = ''): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (sent !== '') socket.write(sent)
    return socket
  }
  return { from, open: () => countOf(server) }
}

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const HELD = GET.replace('/ HTTP', '/held HTTP')
/** A request without the rest of its body, whose head is answered. */
const HALF = 'POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\nhalf'

const neverAnswered = new Promise<never>(() => {})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The head of the answer, or nothing where the connection was closed instead. */
async function answerOf(socket: Socket): Promise<string> {
  return await new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1').slice(0, 15)))
    socket.once('close', () => resolve(''))
  })
}

test('four hundred connections from one address that say nothing, or half a request, keep nobody out', async () => {
  const { from } = await aServer({ connectionsMax: 100, perAddressMax: 50 })
  for (let attacks = 0; attacks < 400; attacks++)
    await from(
      '127.0.0.9',
      ['', 'GET / HT', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf'][attacks % 3],
    )
  for (let others = 0; others < 20; others++)
    assert.equal(await answerOf(await from('127.0.0.2', GET)), 'HTTP/1.1 200 OK')
  assert.equal(await answerOf(await from('127.0.0.9', GET)), 'HTTP/1.1 200 OK')
})

test('nor do as many from a hundred addresses, and the total stays within its bound', async () => {
  const { from, open } = await aServer({ connectionsMax: 60, perAddressMax: 50 })
  for (let attacks = 0; attacks < 400; attacks++) await from(`127.0.1.${1 + (attacks % 100)}`)
  assert.equal(await answerOf(await from('127.0.0.2', GET)), 'HTTP/1.1 200 OK')
  assert.ok((await open()) <= 60)
})

test('a request that is being answered is never closed for another; where all are busy, the new one is', async () => {
  const release = Promise.withResolvers<void>()
  let arrived = 0
  const { from } = await aServer(
    { connectionsMax: 3, perAddressMax: 3 },
    {
      held: async () => {
        arrived++
        await release.promise
        return { kind: 'ok', body: '{}' }
      },
    },
  )
  const busy = [1, 2, 3].map(async (host) => from(`127.0.0.${host}`, GET.replace('/ HTTP', '/held HTTP')))
  const sockets = await Promise.all(busy)
  while (arrived < 3) await new Promise((resolve) => setImmediate(resolve))
  const answers = sockets.map(answerOf)
  assert.equal(await answerOf(await from('127.0.0.4', GET)), '')
  release.resolve()
  for (const answer of answers) assert.equal(await answer, 'HTTP/1.1 200 OK')
  // Now they wait, and the one that has waited for longest makes room.
  assert.equal(await answerOf(await from('127.0.0.4', GET)), 'HTTP/1.1 200 OK')
})

test('clients that do not read their answers keep nobody out', async () => {
  let answered = 0
  const long: Route = async () => {
    answered++
    return { kind: 'ok', body: 'x'.repeat(16 * 1024 * 1024) }
  }
  const { from, open } = await aServer({ connectionsMax: 3, perAddressMax: 3 }, { held: long })
  for (const host of [1, 2, 3]) await from(`127.0.0.${host}`, GET.replace('/ HTTP', '/held HTTP'))
  while (answered < 3) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await answerOf(await from('127.0.0.4', GET)), 'HTTP/1.1 200 OK')
  assert.equal(await open(), 3)
})

const BYTES = 20 * 1024 * 1024

/** Each answer to `asked` has so many bytes. */
async function aServerOfLongAnswers() {
  let answered = 0
  const held: Route = async () => {
    answered++
    return { kind: 'ok', body: 'x'.repeat(BYTES) }
  }
  const server = await aServer({ connectionsMax: 100, perAddressMax: 50 }, { held })
  return { ...server, answered: () => answered, asked: GET.replace('/ HTTP', '/held HTTP') }
}

test('many long answers that a client does not read take a bounded memory, and no answer of another', async () => {
  const { from, open, answered, asked } = await aServerOfLongAnswers()
  const reader = await from('127.0.0.2', asked)
  for (let n = 0; n < 20; n++) await from('127.0.0.9', asked)
  while (answered() < 21 || (await open()) > 14) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await open(), 14, 'as many as 288 MiB hold')
  let read = 0
  for await (const chunk of reader) {
    read += chunk.length
    if (read > BYTES) break
  }
  assert.ok(read > BYTES)
})

test('answers that wait behind an unread one are not counted after their connection', async () => {
  const { from, open, answered, asked } = await aServerOfLongAnswers()
  for (let n = 1; n <= 10; n++) {
    const socket = await from('127.0.0.9', `${asked}${asked}`)
    while (answered() < 2 * n) await new Promise((resolve) => setImmediate(resolve))
    socket.destroy()
    while ((await open()) > 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const readers = await Promise.all(Array.from({ length: 14 }, () => from('127.0.0.2', asked)))
  while (answered() < 34) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await open(), readers.length)
})

test('a trusted proxy may have as many connections as there are', async () => {
  const { from, open } = await aServer(
    { connectionsMax: 100, perAddressMax: 5 },
    { isTrustedProxy: (address) => address === '127.0.0.5' },
  )
  for (let more = 0; more < 30; more++)
    assert.equal(await answerOf(await from('127.0.0.5', GET)), 'HTTP/1.1 200 OK')
  for (let more = 0; more < 30; more++)
    assert.equal(await answerOf(await from('127.0.0.6', GET)), 'HTTP/1.1 200 OK')
  assert.equal(await open(), 35)
})

function countOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

function close(server: Server): void {
  server.close()
  server.closeAllConnections()
}

test('the limits are for all ports of a service together, because they share its descriptors', async () => {
  const limits = { connectionsMax: 10, perAddressMax: 5 }
  const limit = connectionLimiter(limits, () => false)
  const [one, other] = [await aServer(limits, { limit }), await aServer(limits, { limit })]
  for (let attacks = 0; attacks < 40; attacks++)
    await (attacks % 2 === 0 ? one : other).from(`127.0.1.${1 + (attacks % 20)}`)
  assert.equal(await answerOf(await one.from('127.0.0.2', GET)), 'HTTP/1.1 200 OK')
  assert.equal(await answerOf(await other.from('127.0.0.2', GET)), 'HTTP/1.1 200 OK')
  assert.ok((await one.open()) + (await other.open()) <= 10)
})

test('a connection that has ended takes up no place, whatever it had said', async () => {
  const { from, open } = await aServer(
    { connectionsMax: 2, perAddressMax: 2 },
    { held: async () => neverAnswered },
  )
  const first = (await from('127.0.0.1')).resume()
  for (const said of ['', HALF, HELD, '']) {
    const other = await from('127.0.0.1', said)
    while ((await open()) < 2 && !first.closed) await nextTurn()
    other.destroy()
    while ((await open()) > 1) await nextTurn()
  }
  assert.equal(first.closed, false)
  assert.equal(await answerOf(await from('127.0.0.1', GET)), 'HTTP/1.1 200 OK')
  first.write(GET)
  assert.equal(await answerOf(first), 'HTTP/1.1 200 OK')
})

test('a connection makes room once, also where its answer ends after that', async () => {
  let answered = 0
  const long: Route = async () => {
    answered++
    return { kind: 'ok', body: 'x'.repeat(16 * 1024 * 1024) }
  }
  const { from, open } = await aServer({ connectionsMax: 3, perAddressMax: 3 }, { held: long })
  for (let unread = 0; unread < 3; unread++) await from('127.0.0.1', HELD)
  while (answered < 3) await nextTurn()
  for (let others = 0; others < 3; others++) {
    assert.equal(await answerOf(await from('127.0.0.2', GET)), 'HTTP/1.1 200 OK')
    assert.equal(await open(), 3)
  }
})

test('a client that has sent two requests is not closed for another before both are answered', async () => {
  const releases: (() => void)[] = []
  const held: Route = () => new Promise((resolve) => releases.push(() => resolve({ kind: 'ok', body: '{}' })))
  const { from } = await aServer({ connectionsMax: 1, perAddressMax: 1 }, { held })
  const client = await from('127.0.0.1', `${HELD}${HELD}`)
  while (releases.length < 2) await nextTurn()
  const [first, second] = releases
  const answer = answerOf(client)
  first?.()
  assert.equal(await answer, 'HTTP/1.1 200 OK')
  assert.equal(await answerOf(await from('127.0.0.2', GET)), '')
  const next = answerOf(client)
  second?.()
  assert.equal(await next, 'HTTP/1.1 200 OK')
})

test('of clients that do not read, the one that was busy first makes room, though it has asked again', async () => {
  const releases: (() => void)[] = []
  const body = 'x'.repeat(16 * 1024 * 1024)
  const held: Route = () => new Promise((resolve) => releases.push(() => resolve({ kind: 'ok', body })))
  const { from } = await aServer({ connectionsMax: 2, perAddressMax: 2 }, { held })
  const asking = async (socket: Socket, asked: number): Promise<void> => {
    socket.write(HELD)
    while (releases.length < asked) await nextTurn()
  }
  const [first, second] = [await from('127.0.0.1'), await from('127.0.0.1')]
  await asking(first, 1)
  await asking(second, 2)
  await asking(first, 3)
  for (const release of releases) release()
  const closed = Promise.race([first, second].map(async (socket) => (await once(socket, 'close'), socket)))

  assert.equal(await answerOf(await from('127.0.0.1', GET)), 'HTTP/1.1 200 OK')

  for (const socket of [first, second]) socket.resume()
  assert.equal((await closed) === first, true)
})

test('an answer that goes on as a stream is not closed for another client', async () => {
  const stream: Route = async () => ({ kind: 'ok', body: '', stream: (sink) => void sink.write('begun') })
  const { from } = await aServer({ connectionsMax: 1, perAddressMax: 1 }, { stream })
  const client = await from('127.0.0.1', 'POST /stream HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
  assert.equal(await answerOf(client), 'HTTP/1.1 200 OK')
  assert.equal(await answerOf(await from('127.0.0.2', GET)), '')
  assert.equal(client.closed, false)
})

test('requests of which a part is missing keep nobody out, from however many addresses', async () => {
  const { from } = await aServer({ connectionsMax: 3, perAddressMax: 3 })
  for (const host of [1, 2, 3])
    assert.equal(await answerOf(await from(`127.0.0.${host}`, HALF)), 'HTTP/1.1 100 Co')
  assert.equal(await answerOf(await from('127.0.0.4', GET)), 'HTTP/1.1 200 OK')
})

test('the connection that has waited for longest makes room, and of the network with the most that has one', async () => {
  let asked = 0
  const held: Route = async () => {
    asked++
    return await neverAnswered
  }
  const { from, open } = await aServer({ connectionsMax: 4, perAddressMax: 3 }, { held })
  const isOpen = async (socket: Socket): Promise<boolean> => {
    if (socket.destroyed) return false
    socket.write(GET)
    return (await answerOf(socket)) !== ''
  }
  const few = await from('127.0.0.1')
  const many = [await from('127.0.0.2'), await from('127.0.0.2'), await from('127.0.0.2')]
  while ((await open()) < 4) await nextTurn()
  assert.equal(await answerOf(await from('127.0.0.3', GET)), 'HTTP/1.1 200 OK')
  assert.deepEqual(await Promise.all([few, ...many].map(isOpen)), [true, false, true, true])

  // The others of the largest network are busy for good, and so none of them waits.
  for (const busy of many.slice(1)) busy.write(HELD)
  while (asked < 2) await nextTurn()
  assert.equal(await answerOf(await from('127.0.0.4', GET)), 'HTTP/1.1 200 OK')
})
