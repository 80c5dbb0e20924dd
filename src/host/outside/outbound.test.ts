import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { utf8 } from '../../trusted/base/bytes.ts'
import { testCertificate } from './testing/certificate.ts'
import { nameServer } from './testing/name-server.ts'
import { openOutbound, type OutboundOptions, type OutboundRequest } from './outbound.ts'
import type { OutboundErrorKind } from './outbound-error.ts'
import { endlessTimers, turnedTimers, until } from './testing/timers.ts'

const get = { method: 'GET', headers: {}, timeoutMs: 5_000, responseBytesMax: 1_000 } as const

function outboundFor(context: TestContext, options: OutboundOptions = { allowPrivate: true }) {
  const outbound = openOutbound({ timers: endlessTimers, ...options })
  context.after(() => outbound.close())
  return outbound
}

async function listening(context: TestContext, server: Server, address = '127.0.0.1') {
  const connections: Socket[] = []
  server.on('connection', (socket: Socket) => connections.push(socket))
  server.listen(0, address)
  await once(server, 'listening')
  context.after(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  // A TCP server that listens has an address and a port.
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${address}:${port}/`, connections }
}

async function closing(socket: Socket | undefined): Promise<void> {
  assert.ok(socket, 'there was a connection')
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

const httpServer = (context: TestContext, listener: RequestListener) =>
  listening(context, createServer(listener))

const tlsServer = (context: TestContext, listener: RequestListener) =>
  listening(context, createTlsServer(testCertificate, listener))

const rawServer = (context: TestContext, serve: (socket: Socket) => void) =>
  listening(
    context,
    createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => serve(socket))
    }),
  )

function failsAs(kind: OutboundErrorKind): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error && 'kind' in error, String(error))
    assert.equal(error.kind, kind, error.message)
    return true
  }
}

test('a request arrives as it was given and its answer comes back', async (context) => {
  const outbound = outboundFor(context)
  const seen: unknown[] = []
  const { url } = await httpServer(context, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    seen.push(
      request.method,
      request.url,
      request.headers['x-event'],
      request.headers['accept-encoding'],
      body,
    )
    response.writeHead(202, { 'x-answer': 'yes', 'set-cookie': ['a', 'b'] }).end('taken')
  })

  const answer = await outbound.request({
    ...get,
    method: 'POST',
    url: `${url}hook?a=b#part`,
    headers: { 'x-event': '1' },
    body: utf8('the body'),
  })

  assert.deepEqual(seen, ['POST', '/hook?a=b', '1', 'identity', 'the body'])
  assert.equal(answer.status, 202)
  assert.equal(answer.headers['x-answer'], 'yes')
  assert.equal(answer.headers['set-cookie'], 'a, b')
  assert.equal(Buffer.from(answer.body).toString(), 'taken')
})

test('over TLS the name is looked up once, and the address found is the one connected to', async (context) => {
  const { port, connections } = await tlsServer(context, (_request, response) => response.end('trusted'))
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  const names = await nameServer(() => answers.shift())
  context.after(names.stop)
  const outbound = outboundFor(context, {
    allowPrivate: true,
    nameServers: [names.address],
    certificateAuthorities: testCertificate.cert,
  })

  const answer = await outbound.request({ ...get, url: `https://hooks.test:${port}/` })

  assert.equal(Buffer.from(answer.body).toString(), 'trusted')
  assert.deepEqual(names.asked.toSorted(), ['A hooks.test', 'AAAA hooks.test'])
  assert.equal(connections.length, 1)
})

test('a server whose certificate is not trusted, or is for another name, is not spoken to', async (context) => {
  let requests = 0
  const { port } = await tlsServer(context, (_request, response) => {
    requests++
    response.end()
  })
  const names = await nameServer(() => ['127.0.0.1'])
  context.after(names.stop)
  const certificateAuthorities = testCertificate.cert
  const untrusting = outboundFor(context)
  const trusting = outboundFor(context, {
    allowPrivate: true,
    nameServers: [names.address],
    certificateAuthorities,
  })

  await assert.rejects(
    untrusting.request({ ...get, url: `https://127.0.0.1:${port}/` }),
    failsAs('unreachable'),
  )
  await assert.rejects(
    trusting.request({ ...get, url: `https://other.test:${port}/` }),
    failsAs('unreachable'),
  )
  assert.equal(requests, 0)
})

test('nothing connects to a name that leads to any address that is not public', async (context) => {
  const { port, connections } = await tlsServer(context, (_request, response) => response.end())
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['0.0.0.0'],
  ]) {
    const names = await nameServer(() => addresses)
    context.after(names.stop)
    const outbound = outboundFor(context, { allowPrivate: false, nameServers: [names.address] })
    await assert.rejects(
      outbound.request({ ...get, url: `https://hooks.test:${port}/` }),
      failsAs('refusedTarget'),
      addresses.join(),
    )
    assert.equal(names.asked.length, 2, 'asked once per address family')
  }
  assert.equal(connections.length, 0)
})

test('no spelling of a local address is connected to', async (context) => {
  const outbound = outboundFor(context, { allowPrivate: false })
  const { port, connections } = await tlsServer(context, (_request, response) => response.end())
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::ffff:127.0.0.1]', 'localhost'])
    await assert.rejects(
      outbound.request({ ...get, url: `https://${host}:${port}/` }),
      failsAs('refusedTarget'),
    )
  await assert.rejects(
    outbound.request({ ...get, url: `http://127.0.0.1:${port}/` }),
    failsAs('refusedTarget'),
  )
  assert.equal(connections.length, 0)
})

test('a redirection is returned and not followed', async (context) => {
  const outbound = outboundFor(context)
  let requests = 0
  const { url } = await httpServer(context, (_request, response) => {
    requests++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })

  const answer = await outbound.request({ ...get, url })

  assert.deepEqual([answer.status, answer.headers['location'], requests], [302, '/elsewhere', 1])
})

test('every request has a connection of its own', async (context) => {
  const outbound = outboundFor(context)
  const { url, connections } = await httpServer(context, (_request, response) => response.end())

  await outbound.request({ ...get, url })
  await outbound.request({ ...get, url })

  assert.equal(connections.length, 2)
})

test('the answer is read up to its bound and not one byte further', async (context) => {
  const outbound = outboundFor(context)
  const exact = await httpServer(context, (_request, response) => response.end('a'.repeat(1_000)))
  const over = await httpServer(context, (_request, response) => response.end('a'.repeat(1_001)))
  const endless = await rawServer(context, (socket) => {
    const more = (): void =>
      void (socket.destroyed || socket.write('fff\r\n' + 'a'.repeat(4095) + '\r\n', more))
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', more)
  })

  const answer = await outbound.request({ ...get, url: exact.url })
  assert.equal(answer.body.length, 1_000)
  await assert.rejects(outbound.request({ ...get, url: over.url }), failsAs('tooLarge'))
  await assert.rejects(outbound.request({ ...get, url: endless.url }), failsAs('tooLarge'))
  await closing(endless.connections[0])
})

test('an answer that comes in pieces of one byte is read whole', async (context) => {
  const outbound = outboundFor(context)
  const { url } = await rawServer(context, (socket) => {
    const pieces = Array.from('answered'.repeat(100), (letter) => `1\r\n${letter}\r\n`).join('')
    socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`)
  })
  const { body } = await outbound.request({ ...get, url })
  assert.equal(Buffer.from(body).toString(), 'answered'.repeat(100))
})

test('a request for the status alone does not read the body', async (context) => {
  const outbound = outboundFor(context)
  const { url, connections } = await httpServer(context, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.write('a'.repeat(2_000))
  })

  const answer = await outbound.request({ ...get, url, statusOnly: true })

  assert.deepEqual([answer.status, answer.body.length], [200, 0])
  await closing(connections[0])
})

const trickle = (socket: Socket, piece: () => string): void => {
  const timer = setInterval(() => socket.write(piece()), 10)
  socket.once('close', () => clearInterval(timer))
}

const slow: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => {},
  'trickles its headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
    trickle(socket, () => 'a')
  },
  'trickles its body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n')
    trickle(socket, () => 'a')
  },
  'goes on promising an answer': (socket) => {
    const promise = 'HTTP/1.1 102 Processing\r\n\r\n'
    let at = 0
    trickle(socket, () => promise.charAt(at++ % promise.length))
  },
}

for (const [what, serve] of Object.entries(slow))
  test(`a server that ${what} is left when the time is over`, async (context) => {
    let now = 0
    const timers = turnedTimers(() => now)
    const outbound = outboundFor(context, { allowPrivate: true, timers })
    const { promise: serving, resolve } = Promise.withResolvers<Socket>()
    const { url } = await rawServer(context, (socket) => {
      serve(socket)
      resolve(socket)
    })
    const left = assert.rejects(outbound.request({ ...get, url, timeoutMs: 100 }), failsAs('timeout'))
    const socket = await serving

    // What comes in between wins no time.
    now = 99
    timers.turn()
    const sent = socket.bytesWritten
    if (sent > 0) await until(() => socket.bytesWritten > sent, 'the server goes on')
    assert.equal(socket.closed, false)
    now = 100
    timers.turn()

    await left
    await closing(socket)
  })

test('a server that sends nothing but promises of an answer, as fast as they are read, is left', async (context) => {
  const outbound = outboundFor(context)
  const promises = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)
  const { url, connections } = await rawServer(context, (socket) => {
    const flood = (): unknown => socket.destroyed || socket.write(promises, flood)
    flood()
  })

  await assert.rejects(outbound.request({ ...get, url, statusOnly: true }), failsAs('badResponse'))
  await closing(connections[0])
})

test('a name server that says nothing does not stretch the time', async (context) => {
  let now = 0
  const timers = turnedTimers(() => now)
  const names = await nameServer(() => undefined)
  context.after(names.stop)
  const outbound = outboundFor(context, { allowPrivate: false, nameServers: [names.address], timers })
  const url = 'https://hooks.test/'
  const left = assert.rejects(outbound.request({ ...get, url, timeoutMs: 100 }), failsAs('timeout'))

  await until(() => names.asked.length > 0, 'the name server is asked')
  now = 100
  timers.turn()

  await left
})

const broken: Readonly<Record<string, readonly [OutboundErrorKind, string]>> = {
  'is not HTTP': ['badResponse', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  'has headers without end': ['badResponse', `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(20_000)}`],
  'ends within its body': ['badResponse', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
  'ends within a chunk': ['badResponse', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
  'has two lengths': ['badResponse', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  'changes the protocol': [
    'badResponse',
    'HTTP/1.1 101 S\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ],
  'ends before its headers do': ['unreachable', 'HTTP/1.1 200 OK\r\nx-a: b'],
  'is empty': ['unreachable', ''],
}

for (const [what, [kind, bytes]] of Object.entries(broken))
  test(`an answer that ${what} fails as ${kind}`, async (context) => {
    const outbound = outboundFor(context)
    const { url } = await rawServer(context, (socket) => socket.end(bytes))

    await assert.rejects(outbound.request({ ...get, url }), failsAs(kind))
  })

test('an answer in more pieces than a server has a reason for is not read on', async (context) => {
  const outbound = outboundFor(context)
  const inPieces = (pieces: number) => `${'1\r\na\r\n'.repeat(pieces)}0\r\n\r\n`
  let sent = inPieces(2_000)
  const { url } = await rawServer(context, (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${sent}`),
  )
  const asked = { ...get, url, responseBytesMax: 10_000 }
  assert.equal((await outbound.request(asked)).body.length, 2_000)
  sent = inPieces(2_001)
  await assert.rejects(outbound.request(asked), failsAs('badResponse'))
})

test('a compressed answer is not read', async (context) => {
  const outbound = outboundFor(context)
  const { url } = await httpServer(context, (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000))),
  )

  await assert.rejects(outbound.request({ ...get, url }), failsAs('badResponse'))
})

test('a port where nobody listens, and a name that is nobody, are unreachable', async (context) => {
  const { port, url } = await rawServer(context, () => {})
  const closed = createSocketServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  // A TCP server that listens has an address and a port.
  const { port: unused } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const names = await nameServer(() => [])
  context.after(names.stop)
  const outbound = outboundFor(context, { allowPrivate: true, nameServers: [names.address] })

  await assert.rejects(
    outbound.request({ ...get, url: url.replace(`${port}`, `${unused}`) }),
    failsAs('unreachable'),
  )
  await assert.rejects(outbound.request({ ...get, url: 'https://nobody.test/' }), failsAs('unreachable'))
})

test('closing ends what is under way', async (context) => {
  const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
  const { url } = await rawServer(context, () => outbound.close())

  await assert.rejects(outbound.request({ ...get, url }), failsAs('unreachable'))
})

test('a request beyond the bound on connections fails, and the next one after an end does not', async (context) => {
  const outbound = outboundFor(context, { allowPrivate: true, connectionsMax: 2 })
  const waiting: (() => void)[] = []
  const { url } = await httpServer(context, (_request, response) => waiting.push(() => response.end()))
  const underWay = [outbound.request({ ...get, url }), outbound.request({ ...get, url })]
  await until(() => waiting.length === 2, 'two requests')

  await assert.rejects(outbound.request({ ...get, url }), failsAs('unreachable'))

  for (const end of waiting) end()
  for (const { status } of await Promise.all(underWay)) assert.equal(status, 200)
  const next = outbound.request({ ...get, url })
  await until(() => waiting.length === 3, 'the third request')
  waiting[2]?.()
  assert.equal((await next).status, 200)
})

test('headers that would bend the request are never sent', async (context) => {
  const outbound = outboundFor(context)
  const { url, connections } = await httpServer(context, (_request, response) => response.end())
  const bent: readonly OutboundRequest['headers'][] = [
    { Host: 'elsewhere.test' },
    { 'content-length': '0' },
    { 'transfer-encoding': 'chunked' },
    { 'x-event': 'a\r\nx-more: b' },
    { 'x-event: a\r\nx-more': 'b' },
  ]
  for (const headers of bent) await assert.rejects(outbound.request({ ...get, url, headers }))
  assert.equal(connections.length, 0)
})
