import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { AUDIT } from '../../src/host/store/audit-target.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import {
  devEnvOf,
  eventsIn,
  projectFolder,
  ready,
  type RunningService,
  runService,
  start,
  temporaryFolder,
} from '../support/running-service.ts'
import { builtCommand } from '../support/built-service.ts'
import { aDiskThatHangs, aPatientSync, COMPILER, syncsThat } from '../support/hanging-disk.ts'
import { type StampKey, stampWith } from '../support/stamper.ts'
import { founder, init } from './founder.ts'
import { eventually } from '../support/eventually.ts'

const open = new Set<RunningService>()
after(() => Promise.all([...open].map((service) => service.kill())))

test('a vault that hangs is told by /readyz and to callers, once in the log, and all is well when it goes on', async () => {
  const service = await opened(runService('dev'))
  process.kill(service.vaultPid, 'SIGSTOP')
  const { status, json } = await unready(service)
  assert.equal(status, 503)
  assert.deepEqual(json, { code: 14, message: 'not ready: the vault does not answer', details: [] })
  // A call of the deadline's length, and one that is not even queued any more.
  const bytes = aTag(service)
  const refused = await Promise.all([send(service, bytes), send(service, bytes)])
  refused.push(await send(service, bytes))
  for (const answer of refused) {
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '2')
    const { code, message, details } = await answer.json()
    assert.deepEqual([code, details], [14, []])
    assert.match(message, /may be sent again, byte for byte/)
  }
  process.kill(service.vaultPid, 'SIGCONT')
  await isReadyAgain(service)
  const again = await send(service, bytes)
  assert.equal(again.status, 200, await again.clone().text())
  await said(service, 'outage over')
  assert.deepEqual(
    eventsIn(service.output(), 'outage').map(({ of }) => of),
    ['vault'],
  )
  assert.match(await (await fetch(`${service.url}/metrics`)).text(), /^claviger_bugs_total 0$/m)
  assert.equal(await service.stop(), 0)
})

test('a vault that hangs keeps no shutdown from ending, and ends with it', async () => {
  const service = await opened(runService('dev'))
  process.kill(service.vaultPid, 'SIGSTOP')
  assert.equal(await service.stop(), 0)
  await isGone(service.vaultPid)
  const abrupt = await opened(runService('dev'))
  process.kill(abrupt.vaultPid, 'SIGSTOP')
  process.kill(abrupt.hostPid, 'SIGTERM')
  await said(abrupt, 'draining')
  // Until it is no longer taken for the same press.
  await eventually(() => {
    signalled(abrupt.hostPid)
    return !isThere(abrupt.hostPid)
  })
  await abrupt.ended
  await isGone(abrupt.vaultPid)
})

test('a disk that takes nothing more is told by /readyz and to callers, is no bug, and all is well when it takes again', async () => {
  const service = await opened(runService('dev'))
  fileSizeMax(service.hostPid, '0')
  const { status, json } = await unready(service)
  assert.equal(status, 503)
  assert.equal(json.message, 'not ready: the store does not accept writes')
  const bytes = aTag(service)
  for (let sent = 0; sent < 20; sent++) {
    const answer = await send(service, bytes)
    assert.equal(answer.status, 503)
    assert.equal((await answer.json()).code, 14)
  }
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(metrics, /^claviger_bugs_total 0$/m)
  assert.equal(eventsIn(service.output(), 'outage').length, 1)
  assert.doesNotMatch(service.output(), /\n {4}at |"event":"bug"/)
  fileSizeMax(service.hostPid, 'unlimited')
  await isReadyAgain(service)
  const answer = await send(service, bytes)
  assert.equal(answer.status, 200, await answer.clone().text())
  assert.equal(eventsIn(service.output(), 'outage').length, 1)
  await said(service, 'outage over')
  assert.equal(await service.stop(), 0)
})

const noCompiler = existsSync(COMPILER) ? false : `there is no ${COMPILER} to make a failing fsync with`

test('a disk that fails to sync is told by /readyz, and is well again when it syncs', {
  skip: noCompiler,
}, async () => {
  const failing = join(temporaryFolder(), 'failing')
  const fails = `if (access(${JSON.stringify(failing)}, F_OK) == 0) { errno = EIO; return -1; }`
  const service = await opened(runService('dev', { LD_PRELOAD: syncsThat(fails) }))
  writeFileSync(failing, '')
  assert.equal((await unready(service)).json.message, 'not ready: the store does not accept writes')
  const bytes = aTag(service)
  assert.equal((await send(service, bytes)).status, 503)
  rmSync(failing)
  await isReadyAgain(service)
  assert.equal((await send(service, bytes)).status, 200)
  assert.doesNotMatch(service.output(), /"event":"bug"/)
})

test('a disk that hangs without failing is told in the log by a thread of its own, and all is answered when it goes on', {
  skip: noCompiler,
}, async (t) => {
  const disk = aDiskThatHangs(t)
  const dataFolder = join(disk.folder, 'data')
  const { key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const service = await opened(runService('serve', { dataFolder, ...disk.settings }))
  disk.hang()
  const held = send(service, stamped(key, organizationId))
  await said(service, 'stalled')
  assert.match(service.output(), /"event":"stalled",.*it waits for the system, which is the disk/)
  disk.goOn()
  const answer = await held
  assert.equal(answer.status, 200, await answer.clone().text())
  await said(service, 'stall over')
  await isReadyAgain(service)
  assert.equal(eventsIn(service.output(), 'stalled').length, 1)
  assert.equal(await service.stop(), 0)
})

test('a start on a disk that takes nothing ends with a sentence, and leaves nothing running', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const limited = start(
    ['--fsize=0:', process.execPath, join(projectFolder, 'bin/claviger.js'), 'serve'],
    { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' },
    { program: 'prlimit' },
  )
  assert.equal(await limited.ended, 4, limited.output())
  assert.match(limited.output(), /^claviger serve: /m)
  assert.doesNotMatch(limited.output(), /\n {4}at /)
})

const skip = postgresAvailable() ? false : postgresMissing

test('a database that is lost is told by /readyz and to callers, and all is well when it is back', {
  skip,
}, async () => {
  const { dataFolder, key } = founder()
  const line = await aLine(new URL(await freshDatabase()))
  const settings = { CLAVIGER_DATABASE_URL: line.url }
  const { organizationId } = await init(dataFolder, key, settings)
  const service = await opened(runService('serve', { dataFolder, ...settings }))
  const bytes = stamped(key, organizationId)
  for (const fault of ['silent', 'cut'] as const) {
    line.is(fault)
    const { status, json } = await unready(service)
    assert.equal(status, 503)
    assert.equal(json.message, 'not ready: the store does not accept writes')
    if (fault === 'cut') {
      const answer = await send(service, bytes)
      assert.equal(answer.status, 503)
      assert.equal((await answer.json()).code, 14)
    }
    line.is('well')
    await isReadyAgain(service)
  }
  const answer = await send(service, bytes)
  assert.equal(answer.status, 200, await answer.clone().text())
  assert.doesNotMatch(service.output(), /"event":"bug"/)
  assert.equal(await service.stop(), 0)
})

test('a database that hangs keeps no shutdown from ending, and no start that is told to stop, however many servers are named', {
  skip,
}, async (t) => {
  const { dataFolder, key } = founder()
  const lines = await severalLines(new URL(await freshDatabase()), 8)
  const settings = { CLAVIGER_DATABASE_URL: lines.url }
  const { organizationId } = await init(dataFolder, key, settings)
  const service = await opened(runService('serve', { dataFolder, ...settings }))
  lines.are('silent')
  t.after(() => lines.are('cut'))
  await unready(service)
  const broken = send(service, stamped(key, organizationId)).then(
    ({ status }) => status,
    () => 'no answer',
  )
  assert.equal(await service.stop(), 0)
  assert.equal(eventsIn(service.output(), 'drained').length, 1)
  assert.notEqual(await broken, 200)

  const before = lines.taken()
  const starting = start([await builtCommand(), 'serve'], { CLAVIGER_DATA: dataFolder, ...settings })
  await eventually(() => lines.taken() > before)
  starting.child.kill('SIGTERM')
  assert.equal(await starting.ended, 1, starting.output())
  assert.match(starting.output(), /the shutdown takes too long: the process ends without the rest of it/)
})

test('tables that are altered under a running service are told as an outage, once, and the same bytes are taken when they are put right', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const { dataFolder, key } = founder()
  const url = await freshDatabase()
  const settings = { CLAVIGER_DATABASE_URL: url }
  const { organizationId } = await init(dataFolder, key, settings)
  const service = await opened(runService('serve', { dataFolder, ...settings }))
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(() => operator.end())
  const before = await send(service, stamped(key, organizationId))
  assert.equal(before.status, 200, await before.clone().text())

  await operator.query('ALTER TABLE charters ALTER COLUMN version TYPE numeric')
  const bytes = stamped(key, organizationId)
  for (let n = 0; n < 3; n++) {
    const answer = await send(service, bytes)
    assert.equal(answer.status, 503)
    assert.match((await answer.json()).message, /may be sent again, byte for byte/)
  }
  assert.equal((await unready(service)).status, 503)
  await operator.query('ALTER TABLE charters ALTER COLUMN version TYPE bigint')
  await isReadyAgain(service)
  const answer = await send(service, bytes)
  assert.equal(answer.status, 200, await answer.clone().text())
  const [line, ...more] = eventsIn(service.output(), 'outage')
  assert.match(
    String(line?.['detail']),
    /the column charters.version of the database is numeric, and has to be bigint/,
  )
  assert.deepEqual(more, [])
  assert.doesNotMatch(service.output(), /"event":"bug"/)
})

test('a disk of the audit stream that hangs keeps no shutdown from ending, and its event stays in the outbox', {
  skip: skip === false ? noCompiler : skip,
}, async (t) => {
  const { dataFolder, key } = founder()
  const url = await freshDatabase()
  const stream = join(temporaryFolder(), 'audit.log')
  const settings = { CLAVIGER_DATABASE_URL: url, CLAVIGER_AUDIT: stream }
  const { organizationId } = await init(dataFolder, key, settings)
  const disk = aPatientSync()
  const service = await opened(runService('serve', { dataFolder, ...settings, ...disk.settings }))
  const lines = (): number => (existsSync(stream) ? readFileSync(stream, 'utf8').split('\n').length - 1 : 0)
  const answered = await send(service, stamped(key, organizationId))
  assert.equal(answered.status, 200, await answered.clone().text())
  await eventually(() => lines() > 0)

  disk.hang()
  const before = lines()
  const answer = await send(service, stamped(key, organizationId))
  assert.equal(answer.status, 200, await answer.clone().text())
  await eventually(() => lines() > before)
  t.after(() => disk.goOn())
  process.kill(service.pid, 'SIGTERM')
  await isGone(service.pid)
  assert.equal(eventsIn(service.output(), 'drained').length, 1)
  assert.match(service.output(), /a disk or a name server has not answered yet: the process ends by force/)
  await isGone(service.vaultPid)
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(() => operator.end())
  const { rows } = await operator.query('SELECT lane FROM errands WHERE scope = $1', [AUDIT.scope])
  assert.equal(rows.length, 1)
})

test('a launcher that is killed leaves neither host nor vault behind', async () => {
  const dataFolder = join(temporaryFolder(), 'data')
  // The launcher of an older Node, whatever this one is.
  const started = start(['bin/with-node.js', 'src/host/cli/main.ts', 'dev'], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_PORT: '0',
  })
  const service = await ready(started, dataFolder, 'Stop with Ctrl-C')
  assert.notEqual(service.pid, service.hostPid)
  process.kill(service.pid, 'SIGKILL')
  // Standard output closes with the last process that holds it.
  await service.ended
  await isGone(service.hostPid)
  await isGone(service.vaultPid)
  assert.match(service.output(), /"event":"drained"/)
})

test('while it drains it says so, goes on serving, and resets nobody who heeds it', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const service = await opened(runService('serve', { dataFolder, CLAVIGER_DRAIN_SECONDS: '3' }))
  let told = false
  let answered = 0
  let afterTold = 0
  // As clients behind a balancer: on connections that are kept, until the balancer has been told.
  const client = async (): Promise<void> => {
    while (!told) {
      const answer = await send(service, stamped(key, organizationId))
      assert.equal(answer.status, 200, service.output())
      await answer.arrayBuffer()
      answered++
    }
  }
  const clients = Array.from({ length: 8 }, client)
  await eventually(() => answered >= 20)
  process.kill(service.hostPid, 'SIGTERM')
  await said(service, 'draining')
  const { status, json, connection } = await readyz(service)
  assert.deepEqual(
    [status, json.message, connection],
    [503, 'not ready: the service is shutting down', 'close'],
  )
  const still = await send(service, stamped(key, organizationId))
  assert.equal(still.status, 200)
  assert.equal(still.headers.get('connection'), 'close')
  await still.arrayBuffer()
  afterTold = answered
  told = true
  await Promise.all(clients)
  assert.ok(answered >= afterTold)
  assert.equal(await service.ended, 0)
  assert.equal(eventsIn(service.output(), 'drained').length, 1)
})

async function opened(starting: Promise<RunningService>): Promise<RunningService> {
  const service = await starting
  open.add(service)
  return service
}

async function readyz({ url }: RunningService) {
  const answer = await fetch(`${url}/readyz`)
  const json = await answer.json()
  return { status: answer.status, json, connection: answer.headers.get('connection') }
}

/** What was found a moment before is told for a moment. */
async function unready(service: RunningService) {
  let answer = await readyz(service)
  await eventually(async () => {
    if (answer.status === 200) answer = await readyz(service)
    return answer.status !== 200
  })
  return answer
}

async function isReadyAgain(service: RunningService): Promise<void> {
  await eventually(async () => (await readyz(service)).status === 200)
}

async function said(service: RunningService, event: string): Promise<void> {
  await eventually(() => eventsIn(service.output(), event).length > 0)
}

/** How large a file may become that this process writes to: as on a disk that is full, without one. */
function fileSizeMax(pid: number, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}

/** A process that has ended, and that nobody has asked for its exit code yet, is not there any more. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const status = `/proc/${pid}/status`
    return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, 'utf8'))
  } catch (error) {
    // Also where it goes between the look for its state and the reading of it.
    if (error instanceof Error && 'code' in error && GONE.includes(error.code)) return false
    throw error
  }
}

const GONE: readonly unknown[] = ['ESRCH', 'ENOENT']

function signalled(pid: number): void {
  if (isThere(pid)) process.kill(pid, 'SIGTERM')
}

/** A process closes what it holds before it is gone, so that its end is seen a moment early. */
async function isGone(pid: number): Promise<void> {
  await eventually(() => !isThere(pid))
}

type Bytes = { readonly path: string; readonly body: string; readonly headers: Record<string, string> }

/** A request that writes, by the user of development mode. */
function aTag({ dataFolder }: RunningService): Bytes {
  const { ORGANIZATION_ID, API_PRIVATE_KEY, API_PUBLIC_KEY } = devEnvOf(dataFolder)
  const key = { privateKey: Buffer.from(API_PRIVATE_KEY, 'hex'), publicKey: API_PUBLIC_KEY }
  return stamped({ scheme: 'SIGNATURE_SCHEME_TK_API_P256', ...key }, ORGANIZATION_ID)
}

function stamped(key: StampKey, organizationId: string): Bytes {
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { userTagName: `Tag ${randomBytes(8).toString('hex')}`, userIds: [] },
  })
  const { stampHeaderName, stampHeaderValue } = stampWith(key, body)
  return { path: '/public/v1/submit/create_user_tag', body, headers: { [stampHeaderName]: stampHeaderValue } }
}

async function send({ url }: RunningService, { path, body, headers }: Bytes): Promise<Response> {
  return await fetch(`${url}${path}`, { method: 'POST', body, headers })
}

/** An address of a database with so many servers, which are lines to it. */
async function severalLines(database: URL, count: number) {
  const lines = await Promise.all(Array.from({ length: count }, () => aLine(database)))
  const url = new URL(database)
  const servers = lines.map((line) => new URL(line.url).host).join(',')
  return {
    url: url.href.replace(url.host, servers),
    are: (state: 'silent' | 'cut'): void => {
      for (const line of lines) line.is(state)
    },
    /** How many connections were made so far. */
    taken: (): number => lines.reduce((sum, line) => sum + line.taken(), 0),
  }
}

/** A line to a database that can be cut, or go silent. */
async function aLine(database: URL) {
  const ends = new Set<Socket>()
  let state: 'well' | 'silent' | 'cut' = 'well'
  let taken = 0
  const server = createServer((near) => {
    taken++
    const far = connect(Number(database.port), database.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
      one.on('data', (chunk: Buffer) => other.write(chunk))
    }
    if (state === 'cut') near.destroy()
    if (state === 'silent') far.pause()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const url = new URL(database)
  // A TCP server that listens has an address with a port.
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    taken: () => taken,
    is: (next: typeof state): void => {
      state = next
      for (const end of ends) {
        if (next === 'cut') end.destroy()
        else if (next === 'silent') end.pause()
        else end.resume()
      }
    },
  }
}
