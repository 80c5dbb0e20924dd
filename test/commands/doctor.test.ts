import assert from 'node:assert/strict'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrationChecksum } from '../../src/host/store/migrations.ts'
import { migrationTable as postgresTable, postgresMigrations } from '../../src/host/store/postgres/schema.ts'
import { lookAtPostgresSchema } from '../../src/host/store/postgres/schema-look.ts'
import { lookAtSqliteSchema } from '../../src/host/store/sqlite/schema-look.ts'
import { aLoopbackCertificate } from '../support/key-services/loopback-certificate.ts'
import {
  freshDatabase,
  postgresAccount,
  postgresAvailable,
  postgresMissing,
  startPostgres,
} from '../support/postgres.ts'
import {
  eventsIn,
  runCommand,
  type RunningService,
  runService,
  type Settings,
  temporaryFolder,
} from '../support/running-service.ts'
import { founder, init } from './founder.ts'
import { olderData } from './older-data.ts'

const services = new Set<RunningService>()
after(() => Promise.all([...services].map((service) => service.kill())))

const OLDER =
  'of an older version: start the service of this version on it once; claviger upgrade --check says what this changes'
const KEYS = 'ok keys: version 1 of the root key seals, of 1'

async function looked(settings: Settings) {
  const { code, output } = await runCommand(['doctor', '--json'], settings)
  const { ok, findings } = JSON.parse(output)
  return {
    code,
    ok,
    texts: findings.map(({ mark, text }: { mark: string; text: string }) => `${mark} ${text}`),
  }
}

/** A service as an operator runs it, with a port for operators. */
async function served(settings: Settings = {}) {
  const { dataFolder, key } = founder()
  await init(dataFolder, key, settings)
  const service = await runService('serve', { dataFolder, CLAVIGER_OPERATOR_PORT: '0', ...settings })
  services.add(service)
  const [listening] = eventsIn(service.output(), 'listening')
  const port = (url: unknown) => new URL(String(url)).port
  const own = {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_PORT: port(service.url),
    CLAVIGER_OPERATOR_PORT: port(listening?.['operator']),
    ...settings,
  }
  return { service, own }
}

test('doctor looks beside a running service with the embedded store, and after it', async () => {
  const { service, own } = await served()
  const beside = await looked(own)
  assert.deepEqual([beside.code, beside.ok], [0, true], beside.texts.join('\n'))
  assert.ok(beside.texts.includes(`ok a service runs at ${service.url}`), beside.texts.join('\n'))
  assert.ok(beside.texts.includes('ok its store takes writes and its vault answers'))
  assert.ok(beside.texts.includes(KEYS), beside.texts.join('\n'))
  assert.ok(beside.texts.some((text: string) => /^ok [\d.]+ GB are free/.test(text)))
  await service.stop()
  const alone = await looked(own)
  assert.equal(alone.code, 0, alone.texts.join('\n'))
  assert.ok(alone.texts.includes('ok the sqlite store opens and commits durably'))
  assert.ok(alone.texts.includes(KEYS), alone.texts.join('\n'))
  assert.ok(alone.texts.some((text: string) => text.startsWith('ok no service runs, and 127.0.0.1:')))
})

test('doctor ends with 1 where something else is at the port, or the service says that it is not ready', async () => {
  const { service, own } = await served()
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const taken = await looked({ CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: own.CLAVIGER_PORT })
  assert.deepEqual([taken.code, taken.ok], [1, false])
  assert.match(taken.texts.at(-1), /^!! CLAVIGER_PORT is \d+, and another process listens there/)
  const silent = await looked({ ...own, CLAVIGER_OPERATOR_PORT: '1' })
  assert.deepEqual([silent.code, silent.ok], [1, false])
  assert.match(silent.texts.at(-1), /^!! it does not answer at http:\/\/127\.0\.0\.1:1\/readyz/)
  await service.stop()
})

test('doctor looks at PostgreSQL beside a running service', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const { service, own } = await served({ CLAVIGER_DATABASE_URL: await freshDatabase() })
  const { code, texts } = await looked(own)
  assert.equal(code, 0, texts.join('\n'))
  for (const expected of [
    /^ok the postgres store opens and commits durably$/,
    /^ok PostgreSQL \d+\.\d+.*, synchronous_commit \w+, no standby has to confirm$/,
    /^ok the clock of the database is that of this machine$/,
    /^ok a service runs at /,
  ])
    assert.ok(
      texts.some((text: string) => expected.test(text)),
      `${expected}\n${texts.join('\n')}`,
    )
  await service.stop()
})

test('doctor says what a user of the database may not do, and when the certificate of the server ends', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const { path, cert, key } = aLoopbackCertificate()
  const [certPath, keyPath] = ownedByServer({ 'server.crt': cert, 'server.key': key })
  const server = await startPostgres(['ssl=on', `ssl_cert_file=${certPath}`, `ssl_key_file=${keyPath}`])
  t.after(server.stop)
  const { dataFolder, key: founderKey } = founder()
  const url = `${server.address}/postgres`
  const encrypted = `${url}?sslmode=verify-full&sslrootcert=${path}`
  const settings = { CLAVIGER_DATABASE_URL: encrypted }
  const { code, output } = await init(dataFolder, founderKey, settings)
  assert.equal(code, 0, output)
  const own = { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', ...settings }
  const soon = await looked(own)
  assert.equal(soon.code, 1, soon.texts.join('\n'))
  // It is good for two days.
  assert.ok(
    soon.texts.some((text: string) =>
      /^!! the certificate of the database ends on \d{4}-\d\d-\d\d: renew it/.test(text),
    ),
    soon.texts.join('\n'),
  )
  const open = await looked({ ...own, CLAVIGER_DATABASE_URL: url })
  assert.ok(open.texts.includes('ok the connection to the database is not encrypted'), open.texts.join('\n'))
  assert.equal(open.code, 0, open.texts.join('\n'))

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader')
  await client.end()
  const asReader = url.replace('claviger@', 'reader@')
  const reading = await looked({ ...own, CLAVIGER_DATABASE_URL: asReader })
  assert.equal(reading.code, 1, reading.texts.join('\n'))
  assert.ok(
    reading.texts.some((text: string) => /^!! .*permission denied/.test(text)),
    reading.texts.join('\n'),
  )
})

test('doctor migrates no data of an older version, which the version before then still opens', async () => {
  const { dataFolder, path } = await olderData()
  const { code, texts } = await looked({ CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(code, 1, texts.join('\n'))
  assert.ok(texts.includes('ok the vault starts and opens the root key'), texts.join('\n'))
  assert.ok(texts.includes(`!! ${path} is ${OLDER}`), texts.join('\n'))
  assert.equal(lookAtSqliteSchema(path).applied.length, 1)
})

test('doctor migrates no database of an older version', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const url = await freshDatabase()
  const [first] = postgresMigrations
  assert.ok(first !== undefined)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(postgresTable + first.sql)
  await client.query('INSERT INTO migrations VALUES (1, $1)', [migrationChecksum(first)])
  await client.end()
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', CLAVIGER_DATABASE_URL: url }
  const { code, texts } = await looked(settings)
  assert.equal(code, 1, texts.join('\n'))
  assert.ok(texts.includes(`!! the database is ${OLDER}`), texts.join('\n'))
  assert.equal((await lookAtPostgresSchema(url, 'host ')).applied.length, 1)
})

/** Files that the server reads, and nobody else. */
function ownedByServer(files: { readonly [name: string]: string }): readonly string[] {
  const folder = temporaryFolder()
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = postgresAccount() ?? {}
  chownSync(folder, uid, gid)
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    chownSync(path, uid, gid)
    return path
  })
}
