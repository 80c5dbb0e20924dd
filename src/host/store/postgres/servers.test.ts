import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { queryObjects } from 'node:v8'
import pg from 'pg'
import { type Link, openLink } from '../../../../test/faults/link.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import {
  postgresAvailable,
  postgresMissing,
  startPostgres,
  startStandby,
} from '../../../../test/support/postgres.ts'
import { aCharter, anAmendment, aRecord, aRequest } from '../testing/fixtures.ts'
import { cancelWaiting, findStandby, missStandby } from '../testing/missing-standby.ts'
import { openPostgres } from './postgres.ts'
import { servers } from './servers.ts'
import type { Store } from '../store.ts'
import { StoreError } from '../store-error.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }
/** Between two looks; three without an answer are silence. */
const lookMs = 200

test('after the last address comes the first one, and an address that was passed already is not passed again', () => {
  const two = servers(['a', 'b'])
  const passed = ['a', 'a', 'b', 'b', 'a'].map((address) => {
    two.pass(address)
    return two.current()
  })
  assert.deepEqual(passed, ['b', 'b', 'a', 'a', 'b'])
})

test(
  'what waits for a server that has fallen silent fails, and what comes later finds another',
  options,
  async (t) => {
    const { primary, standby } = await aPair(t)
    const links = [await linkTo(t, primary.address), await linkTo(t, standby.address)] as const
    const store = await opened(t, { url: urlOf(links), lookMs })
    await store.commit(anAmendment(aCharter('org', 1)))
    await caughtUp(t, primary.address, standby.address)

    const confirm = store.confirmer()
    const server = store.server()
    assert.equal(store.server(), server)
    links[0].set({ kind: 'cut' })
    const waiting = [
      store.commit(aRecord(aRequest(1))),
      store.commit(anAmendment(aCharter('org', 2))),
      store.charter('org'),
      store.objectsOfKind('org', 'privateKey', { limit: 1 }),
      store.confirmer()(),
    ]
    await Promise.all(waiting.map((one) => assert.rejects(one, { kind: 'unavailable' })))
    await promoted(t, standby.address)
    await works(store, 2)
    assert.deepEqual(await found(() => store.charter('org')), aCharter('org', 1))
    // Whatever was read of the server before may be gone.
    await assert.rejects(confirm(), { kind: 'unavailable', message: /has become the primary meanwhile/ })
    assert.notEqual(store.server(), server)
    await store.confirmer()()
  },
)

test('a server of another cluster is not used while a host runs, whatever it says of itself', () => {
  const where = servers(['one', 'two'])
  const ours = { system: '1', timeline: 3 }
  assert.equal(where.isBehind(ours), false)
  const socket = where.socket().on('error', () => undefined)
  for (const timeline of [3, 4, 99]) assert.equal(where.isBehind({ system: '2', timeline }), true)
  assert.equal(socket.destroyed, false)
  assert.equal(where.newest(), ours)
  assert.equal(where.isBehind({ ...ours, timeline: 4 }), false)
  assert.equal(socket.destroyed, true)
})

test('connections to the server before end when another one is used, and those to it stay', () => {
  const where = servers(['one', 'two'])
  const before = where.socket().on('error', () => undefined)
  where.use('two')
  assert.equal(before.destroyed, true)
  const after = where.socket()
  where.use('two')
  assert.equal(after.destroyed, false)
})

test('a connection that has ended is not kept in memory', async () => {
  const where = servers(['one'])
  const before = queryObjects(Socket, { format: 'count' })
  for (let n = 0; n < 20; n++) await ended(where.socket())
  assert.ok(queryObjects(Socket, { format: 'count' }) - before < 10)
  assert.equal(where.current(), 'one')
})

async function ended(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
}

test('a connection that nobody answers any more is given up, also with one server', options, async (t) => {
  const server = await startPostgres()
  t.after(() => server.stop())
  const link = await linkTo(t, server.address)
  const store = await opened(t, { url: urlOf([link]), lookMs })
  link.set({ kind: 'cut' })
  await assert.rejects(store.commit(aRecord(aRequest(1))), { kind: 'unavailable' })
  link.set({ kind: 'open' })
  await works(store, 2)
})

test('a start waits for its only server, which answers late on a busy machine', options, async (t) => {
  const server = await startPostgres()
  t.after(() => server.stop())
  // A look, the connection of the start, a second look after the first one was given up, and a third one.
  const port = await silentUntil(t, Number(new URL(server.address).port), 4)
  await opened(t, { url: `postgres://claviger@127.0.0.1:${port}/postgres`, lookMs, connectMs: 60_000 })
})

/** A way to a port on which nothing passes before this many connections were made. */
async function silentUntil(t: TestContext, toPort: number, connections: number): Promise<number> {
  const made: Socket[] = []
  const pass = (near: Socket): void => {
    const far = connect(toPort, '127.0.0.1').on('error', () => near.destroy())
    near.pipe(far).pipe(near)
  }
  const way = createServer((near) => {
    near.on('error', () => undefined)
    made.push(near)
    if (made.length === connections) made.forEach(pass)
    else if (made.length > connections) pass(near)
  })
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  t.after(() => {
    way.close()
    for (const near of made) near.destroy()
  })
  // A server that listens at a port has an address with it.
  return (way.address() as AddressInfo).port
}

test('a host leaves a primary that does not know yet that another one was promoted', options, async (t) => {
  const { primary: old, standby } = await aPair(t)
  const store = await opened(t, { url: addressOf([old.address, standby.address]), lookMs })
  await store.commit(anAmendment(aCharter('org', 1)))
  await caughtUp(t, old.address, standby.address)
  await promoted(t, standby.address)

  // The old one takes writes all the same.
  const [onOld, onNew] = [await connected(t, old.address), await connected(t, standby.address)]
  let n = 1
  do {
    n += 1
    await store.commit(aRecord(aRequest(n))).catch(() => undefined)
  } while ((await recordsOf(onNew)) === 0)
  const left = await recordsOf(onOld)
  await works(store, n + 1)
  assert.equal(await recordsOf(onOld), left)

  // Where it is the only one that answers it is not used again.
  await standby.stop()
  const behind = await refusedUntil(store, /is behind one that was used before/)
  assert.equal(behind.kind, 'unavailable')
  assert.equal(await recordsOf(onOld), left)
})

test(
  'behind a name that is moved to another server, that one is watched, and its connections stay',
  options,
  async (t) => {
    const { primary: old, standby } = await aPair(t)
    const name = await nameOf(t, old.address)
    const store = await opened(t, { url: `postgres://claviger@127.0.0.1:${name.port}/postgres`, lookMs })
    await store.commit(anAmendment(aCharter('org', 1)))
    await caughtUp(t, old.address, standby.address)
    await promoted(t, standby.address)
    name.moveTo(standby.address)

    // The old one runs on, and so do the connections to it, until one of them breaks.
    const [onOld, onNew] = [await connected(t, old.address), await connected(t, standby.address)]
    await onOld.query(`SELECT pg_terminate_backend(pid) FROM (${OURS}) AS ours WHERE NOT is_watching`)
    await works(store, 1)
    const ours = async () =>
      (await onNew.query<{ pid: number; is_watching: boolean; since: string }>(OURS)).rows
    await eventually(async () => (await ours()).some(({ is_watching }) => is_watching))
    await works(store, 2)
    const before = (await ours()).map(({ pid }) => pid)
    const looks = new Set<string>()
    await eventually(async () => {
      for (const { is_watching, since } of await ours()) if (is_watching) looks.add(since)
      return looks.size > 5
    })
    const after = (await ours()).map(({ pid }) => pid)
    assert.deepEqual(
      before.filter((pid) => !after.includes(pid)),
      [],
    )
  },
)

/** The connections of a host. What the watch asks is the last statement of its connection alone. */
const OURS = `SELECT pid, query LIKE '%pg_is_in_recovery%' AS is_watching, query_start::text AS since
  FROM pg_stat_activity WHERE application_name = 'claviger'`

test('what a server shows is confirmed only when its standby has it', options, async (t) => {
  const server = await startPostgres()
  t.after(() => server.stop())
  const store = await opened(t, { url: `${server.address}/postgres`, listMs: 300 })
  const operator = await connected(t, server.address)
  await store.confirmer()()
  await missStandby(operator, await connected(t, server.address))
  const cancelled = assert.rejects(store.commit(aRecord(aRequest(1))), { kind: 'unavailable' })
  while (!(await cancelWaiting(operator)));
  await cancelled
  // It is there to see.
  assert.deepEqual(await store.activityOfRequest(aRequest(1)), aRequest(1))
  await Promise.all(
    [store.confirmer()(), store.confirmer()()].map((one) => assert.rejects(one, { kind: 'unavailable' })),
  )
  await findStandby(operator)
  await store.confirmer()()
})

const onLinux = {
  skip: options.skip === false && process.platform !== 'linux' ? 'only Linux tells its timers' : options.skip,
}

test('an idle connection is probed each half minute, before a firewall forgets it', onLinux, async (t) => {
  const server = await startPostgres()
  t.after(() => server.stop())
  const store = await opened(t, { url: `${server.address}/postgres` })
  await store.commit(aRecord(aRequest(1)))
  const port = Number(new URL(server.address).port).toString(16).toUpperCase().padStart(4, '0')
  const probes = (): readonly number[] =>
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , to, state]) => to?.endsWith(`:${port}`) === true && state === ESTABLISHED)
      .flatMap(([, , , , , timer = '']) => {
        const [kind, hundredths = ''] = timer.split(':')
        return kind === PROBE_IS_DUE ? [Number.parseInt(hundredths, 16) / 100] : []
      })
  await eventually(() => probes().length > 0)
  for (const seconds of probes()) assert.ok(seconds <= 30, `${seconds} s`)
})

/** Of a line of /proc/net/tcp. */
const ESTABLISHED = '01'
const PROBE_IS_DUE = '02'

/** A server, and one that follows it. */
async function aPair(t: TestContext) {
  const primary = await startPostgres()
  t.after(() => primary.stop())
  const standby = await startStandby(primary)
  t.after(() => standby.stop())
  return { primary, standby }
}

async function opened(t: TestContext, of: Parameters<typeof openPostgres>[0]): Promise<Store> {
  const store = await openPostgres(of)
  t.after(() => store.close())
  return store
}

/** A port that stands for a name: new connections go where it leads at the time. */
async function nameOf(t: TestContext, address: string) {
  let to = address
  const ends: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(new URL(to).port), '127.0.0.1')
    ends.push(near, far)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const end of ends) end.destroy()
  })
  return {
    // A server that listens at a port has an address with it.
    port: (server.address() as AddressInfo).port,
    moveTo: (next: string): void => {
      to = next
    },
  }
}

async function linkTo(t: TestContext, address: string): Promise<Link> {
  const link = await openLink(Number(new URL(address).port))
  t.after(() => link.close())
  return link
}

function urlOf(links: readonly Link[]): string {
  return `postgres://claviger@${links.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
}

function addressOf(addresses: readonly string[]): string {
  return `postgres://claviger@${addresses.map((address) => new URL(address).host).join(',')}/postgres`
}

async function connected(t: TestContext, address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `${address}/postgres` })
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return client
}

async function caughtUp(t: TestContext, primary: string, standby: string): Promise<void> {
  const [from, to] = [await connected(t, primary), await connected(t, standby)]
  const written = await from.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at')
  const replayed = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS is'
  while ((await to.query<{ is: boolean }>(replayed, [written.rows[0]?.at])).rows[0]?.is !== true);
}

async function promoted(t: TestContext, address: string): Promise<void> {
  await (await connected(t, address)).query('SELECT pg_promote()')
}

async function recordsOf(client: pg.Client): Promise<number> {
  return (await client.query('SELECT 1 FROM activities')).rowCount ?? 0
}

/** From a record on, of which one is taken. */
async function works(store: Store, from: number): Promise<void> {
  let n = from
  await found(() => store.commit(aRecord(aRequest(n++))))
}

/** On a busy machine a server is silent for a while now and then. */
async function found<Row>(read: () => Promise<Row>): Promise<Row> {
  for (;;)
    try {
      return await read()
    } catch (error) {
      assert.ok(error instanceof StoreError && error.kind === 'unavailable', String(error))
    }
}

async function refusedUntil(store: Store, message: RegExp): Promise<StoreError> {
  for (;;)
    try {
      await store.commit(aRecord(aRequest(0)))
      assert.fail('it was taken')
    } catch (error) {
      assert.ok(error instanceof StoreError, String(error))
      if (message.test(error.message)) return error
    }
}
