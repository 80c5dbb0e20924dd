import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import {
  freshDatabase,
  postgresAccount,
  postgresAvailable,
  postgresMissing,
} from '../../../../test/support/postgres.ts'
import { programsMissing } from '../../../../test/support/programs.ts'
import { aCharter, anAmendment, aRecord, aRequest } from '../testing/fixtures.ts'
import { refuseSharedSessions } from './pooler.ts'
import { openPostgres } from './postgres.ts'

const missing = programsMissing('pgbouncer')
const options = { skip: missing || (postgresAvailable() ? false : postgresMissing) }

for (const mode of ['transaction', 'statement'])
  for (const size of [1, 20])
    test(
      `PgBouncer in ${mode} mode with ${size} sessions is refused at start, and nothing was set`,
      options,
      async (t) => {
        const url = await pooled(t, { pool_mode: mode, default_pool_size: size })
        await assert.rejects(openPostgres({ url }), {
          name: 'StoreError',
          kind: 'foreign',
          message: /shares sessions .* pool_mode=transaction; set pool_mode=session/,
        })
        const client = new pg.Client({ connectionString: url })
        client.on('error', () => undefined)
        await client.connect()
        t.after(() => client.end())
        const { rows } = await client.query("SELECT current_setting('enable_seqscan') AS value")
        assert.deepEqual(rows, [{ value: 'on' }])
      },
    )

for (const sessions of [1, 2, 3])
  test(
    `with ${sessions} sessions in turn PgBouncer in transaction mode is refused too`,
    options,
    async (t) => {
      const url = await pooled(t, { pool_mode: 'transaction', server_round_robin: 1 })
      const clients = Array.from({ length: sessions }, () => new pg.Client({ connectionString: url }))
      await Promise.all(clients.map((client) => client.connect()))
      // Each holds a session of its own.
      for (const client of clients) await client.query('BEGIN')
      for (const client of clients) await client.query('COMMIT')
      await Promise.all(clients.map((client) => client.end()))
      await assert.rejects(openPostgres({ url }), { kind: 'foreign', message: /shares sessions/ })
    },
  )

test('through PgBouncer in session mode everything is as without it', options, async (t) => {
  const url = await pooled(t, { pool_mode: 'session', default_pool_size: 20 })
  const store = await openPostgres({ url })
  t.after(() => store.close())
  await store.probe()
  assert.deepEqual(await store.commit(anAmendment(aCharter('org', 1))), { kind: 'committed' })
  const records = Array.from({ length: 40 }, (_, n) => aRecord(aRequest(n)))
  for (const result of await Promise.all(records.map((record) => store.commit(record))))
    assert.deepEqual(result, { kind: 'committed' })
  assert.deepEqual(await store.charter('org'), aCharter('org', 1))
  await store.confirmer()()
})

test('the second connection of the check for shared sessions ends with it', options, async (t) => {
  const url = await pooled(t, { pool_mode: 'session', default_pool_size: 20 })
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  await refuseSharedSessions(client, { address: url, connectMs: 10_000, name: 'the second' })
  const others = "SELECT FROM pg_stat_activity WHERE application_name = 'the second'"
  await eventually(async () => (await client.query(others)).rowCount === 0)
})

/** The address of an empty database, through a PgBouncer of its own. */
async function pooled(
  t: TestContext,
  settings: { readonly [name: string]: string | number },
): Promise<string> {
  const database = new URL(await freshDatabase())
  const folder = mkdtempSync(join(tmpdir(), 'claviger-pgbouncer-'))
  const { uid, gid } = postgresAccount() ?? {}
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  const port = await freePort()
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${database.port} user=claviger\n[pgbouncer]\n${Object.entries(lines)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
  )
  const child = spawn('pgbouncer', ['-q', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `postgres://claviger@127.0.0.1:${port}${database.pathname}`
  await eventually(
    async () => await answers(url),
    () => `PgBouncer did not start: ${said}`,
  )
  return url
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
