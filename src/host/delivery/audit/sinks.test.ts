import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { freePort } from '../../../../test/support/free-port.ts'
import { start } from '../../../../test/support/running-service.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { auditTarget } from '../../app/settings/audit-formats.ts'
import { testCertificate } from '../../outside/testing/certificate.ts'
import { openOutbound } from '../../outside/outbound.ts'
import { turnedTimers, until } from '../../outside/testing/timers.ts'
import { type AuditEvent, plainEvent } from './audit-event.ts'
import { AUDIT_TIMEOUT_MS } from './audit-sink.ts'
import { auditSinkOf } from './audit-sink-of.ts'
import { fileSink } from './file-sink.ts'
import { syslogSink } from './syslog-sink.ts'

const event = (n: number): AuditEvent =>
  plainEvent('gap', `0198c5a0-7d3c-7000-8000-${String(n).padStart(12, '0')}`, 1_763_700_000_000 + n)
const events = (count: number) => Array.from({ length: count }, (_, n) => event(n))

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-audit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const linesOf = (path: string): readonly unknown[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a file is its owner’s alone, is begun anew when it was moved away, and half a line spoils no other', async (t) => {
  const path = join(aFolder(t), 'audit.log')
  const sink = fileSink(path)
  await sink(events(2))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  renameSync(path, `${path}.1`)
  await sink([event(3)])
  assert.deepEqual([linesOf(`${path}.1`), linesOf(path)], [events(2), [event(3)]])
  appendFileSync(path, '{"half')
  await sink([event(3), event(4)])
  const lines = readFileSync(path, 'utf8').split('\n')
  assert.deepEqual(lines.slice(2), [JSON.stringify(event(3)), JSON.stringify(event(4)), ''])
  await assert.rejects(fileSink(join(path, 'no-folder'))(events(1)))
})

test('lines of a new file count as delivered only after its name is on the disk too', async (t) => {
  const folder = aFolder(t)
  const [probe, { ino }] = [await open(folder), statSync(folder)]
  t.after(() => probe.close())
  const synced: number[] = []
  let isDiskFull = true
  const { sync } = probe
  t.mock.method(Object.getPrototypeOf(probe), 'sync', async function (this: FileHandle) {
    synced.push((await this.stat()).ino)
    if (isDiskFull) throw new Error('the disk is full')
    await sync.call(this)
  })
  const path = join(folder, 'audit.log')
  const sink = fileSink(path)
  await assert.rejects(sink([event(1)]), /the disk is full/)
  isDiskFull = false
  await sink([event(1)])
  assert.deepEqual([synced, linesOf(path)], [[ino, ino], [event(1)]])
  // Its name was on the disk before it had a line.
  await sink([event(2)])
  assert.equal(synced.length, 2)
})

test('a disk that hangs is waited for by one attempt alone, however many follow', async (t) => {
  const path = join(aFolder(t), 'audit.log')
  const sink = fileSink(path)
  await sink([event(1)])
  const probe = await open(path)
  t.after(() => probe.close())
  const [hanging, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let syncs = 0
  t.mock.method(Object.getPrototypeOf(probe), 'datasync', async () => {
    syncs++
    hanging.resolve()
    await goesOn.promise
  })
  const first = sink([event(2)])
  await hanging.promise
  for (let attempt = 0; attempt < 8; attempt++)
    await assert.rejects(sink([event(2)]), /has not finished the lines before/)
  assert.equal(syncs, 1)
  goesOn.resolve()
  await first
  await sink([event(3)])
  assert.deepEqual(linesOf(path), [event(1), event(2), event(3)])
})

const RSYSLOG = '/usr/sbin/rsyslogd'

test('rsyslog keeps every message, over TCP and over a Unix socket', {
  skip: existsSync(RSYSLOG) ? false : 'rsyslog is not installed here: apt-get install rsyslog',
}, async (t) => {
  const folder = aFolder(t)
  const [socket, file, config] = ['socket', 'messages', 'rsyslog.conf'].map((name) => join(folder, name))
  assert.ok(socket !== undefined && file !== undefined && config !== undefined)
  const port = await freePort()
  writeFileSync(
    config,
    `module(load="imtcp")
module(load="imptcp")
input(type="imtcp" address="127.0.0.1" port="${port}")
input(type="imptcp" path="${socket}")
template(name="whole" type="string" string="%pri% %app-name% %msgid% %msg%\\n")
action(type="omfile" file="${file}" template="whole")
`,
  )
  const daemon = start(['-n', '-i', join(folder, 'pid'), '-f', config], {}, { program: RSYSLOG })
  t.after(daemon.killGroup)
  const byTcp = syslogSink({ transport: 'tcp', host: '127.0.0.1', port })
  await eventually(async () => {
    try {
      await byTcp([event(0)])
      return existsSync(socket)
    } catch {
      return false
    }
  })
  await byTcp(events(500))
  await syslogSink({ transport: 'unix', path: socket })(events(500))
  // What follows the last newline is nothing yet, or a line that the daemon is writing at this moment.
  const written = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  await eventually(() => written().filter((line) => line.includes(event(499).id)).length === 2)
  const lines = written()
  assert.ok(lines.length >= 1_001)
  for (const line of lines) assert.match(line, /^109 claviger gap +\{"version":1,/)
  assert.deepEqual(JSON.parse(/\{.*/.exec(lines.at(-1) ?? '')?.[0] ?? ''), event(499))
  daemon.killGroup()
  await daemon.ended
  await assert.rejects(byTcp(events(1)))
})

test('a syslog receiver over TLS is told where its certificate is believed, and one that breaks off was not', async (t) => {
  const received: string[] = []
  const tls = createTlsServer(testCertificate, (socket) => {
    socket.on('data', (bytes: Buffer) => received.push(bytes.toString()))
  })
  const port = await listening(t, tls)
  const unknown = syslogSink({ transport: 'tls', host: '127.0.0.1', port })
  await assert.rejects(unknown(events(1)), /self-signed|certificate/)
  assert.deepEqual(received, [])
  const certificate = join(aFolder(t), 'certificate.pem')
  writeFileSync(certificate, testCertificate.cert)
  for (const host of ['127.0.0.1', 'localhost']) {
    const told = start(
      ['--input-type=module', '--eval', SEND, host, String(port)],
      { NODE_EXTRA_CA_CERTS: certificate },
      { program: process.execPath },
    )
    assert.equal(await told.ended, 0, told.output())
  }
  assert.equal(received.join('').split(event(0).id).length - 1, 2)

  const breaking = createServer((socket: Socket) => socket.on('data', () => socket.resetAndDestroy()))
  const broken = syslogSink({ transport: 'tcp', host: '127.0.0.1', port: await listening(t, breaking) })
  await assert.rejects(broken(events(100)))
})

test('a syslog receiver that sends a byte now and then, and never closes, has no more time than one that is silent', async (t) => {
  let now = 0
  const timers = turnedTimers(() => now)
  let [received, sent] = ['', 0]
  const dribbling = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString()
      // It goes on for as long as it is read.
      const send = () => socket.destroyed || socket.write('.', () => ++sent && setImmediate(send))
      send()
    })
  })
  const at = { transport: 'tcp', host: '127.0.0.1', port: await listening(t, dribbling) } as const
  let failure: string | undefined
  const told = syslogSink(at, timers)(events(1)).catch((error: Error) => (failure = error.message))
  await until(() => received.includes(event(0).id) && sent > 0, 'the receiver has the event')
  now = AUDIT_TIMEOUT_MS - 1
  timers.turn()
  const before = sent
  await until(() => sent > before + 10, 'the receiver goes on')
  assert.equal(failure, undefined)
  now++
  timers.turn()
  await until(() => failure !== undefined, 'the attempt ends')
  await told
  assert.equal(failure, 'the syslog receiver did not close the connection within 20 s')
})

test('over HTTP lines are posted together, and every answer but 2xx is a failure', async (t) => {
  const received: { readonly body: string; readonly authorization: string | undefined }[] = []
  let status = 503
  const server = createHttpServer((request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => {
      received.push({ body, authorization: request.headers.authorization })
      response.writeHead(status).end()
    })
  })
  const port = await listening(t, server)
  const outbound = openOutbound({ allowPrivate: true })
  t.after(outbound.close)
  const problems: string[] = []
  const source = { texts: {}, workingFolder: '/', problems }
  const target = auditTarget(`http://claviger:s%40cret@127.0.0.1:${port}/audit`, 'CLAVIGER_AUDIT', source)
  assert.ok(target !== undefined)
  const sink = auditSinkOf(target, outbound)
  for (status of [503, 400, 302]) await assert.rejects(sink(events(2)), new RegExp(`answered ${status}`))
  status = 204
  await sink(events(2))
  assert.equal(
    received.at(-1)?.body,
    events(2)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  )
  assert.equal(received.at(-1)?.authorization, `Basic ${Buffer.from('claviger:s@cret').toString('base64')}`)
})

test('a setting that is no address is refused, and none is quoted', () => {
  for (const text of [
    'ftp://a:secret@b/',
    'syslog+tcp://secret',
    'https://',
    'syslog+udp://secret:514',
    // Its password would cross the network in the clear.
    'http://a:secret@logs.example.com/',
  ]) {
    const problems: string[] = []
    assert.equal(auditTarget(text, 'CLAVIGER_AUDIT', { texts: {}, workingFolder: '/', problems }), undefined)
    assert.match(problems.join(), /^CLAVIGER_AUDIT is not an address/)
    assert.doesNotMatch(problems.join(), /secret/)
  }
})

/** A process of its own, since Node reads the certificates that it believes when it starts. */
const SEND = `import { syslogSink } from ${JSON.stringify(new URL('./syslog-sink.ts', import.meta.url).href)}
const [host, port] = process.argv.slice(1)
await syslogSink({ transport: 'tls', host, port: Number(port) })([${JSON.stringify(event(0))}])`

async function listening(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port
}
