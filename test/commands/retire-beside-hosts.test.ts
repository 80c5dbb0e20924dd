import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { announceHost, type HostShown, removeHost } from '../../src/host/rotation/hosts.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

test('a version is not retired while a host seals under it, also one that started during the count', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const { dataFolder, key } = founder()
  const url = await freshDatabase()
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: url }
  await init(dataFolder, key, settings)
  for (const step of ['add', 'reseal']) {
    const { code, output } = await runCommand(['root-key', step], settings)
    assert.equal(code, 0, output)
  }
  const store = await openPostgres({ url })
  t.after(() => store.close())
  const counted = await store.note('resealing')

  await announceHost(store, older(Date.now()))
  await isRefused(settings)
  assert.equal(await store.note('resealing'), counted, 'nothing is counted that such a host may add to')

  await removeHost(store, 'there')
  await announceAtNextOrder(url)
  await isRefused(settings)
  assert.notEqual(await store.note('resealing'), counted)
})

/** A host that still seals under version 1. */
function older(at: number): HostShown {
  return { id: 'there', name: 'there', at, seals: 1, versions: [{ version: 1, id: 'one' }] }
}

async function isRefused(settings: { readonly CLAVIGER_DATA: string }): Promise<void> {
  const retired = await runCommand(['root-key', 'retire', '1'], settings)
  assert.equal(retired.code, 1, retired.output)
  assert.match(retired.output, /there \(there\) still seal under an older version: copy .* to them/)
  const { versions } = JSON.parse(readFileSync(join(settings.CLAVIGER_DATA, 'root.key'), 'utf8'))
  assert.equal(versions.length, 2)
}

/** Lets the host announce itself in the moment in which a pass is ordered. */
async function announceAtNextOrder(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO notes (name, value) VALUES ('host there', '${JSON.stringify(older(Date.now()))}') ON CONFLICT DO NOTHING;
    RETURN NULL; END $$`)
  await client.query(`CREATE TRIGGER announce AFTER INSERT OR UPDATE ON notes FOR EACH ROW
    WHEN (NEW.name = 'resealing') EXECUTE FUNCTION announce()`)
  await client.end()
}
