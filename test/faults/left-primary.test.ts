import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { programsMissing } from '../support/programs.ts'
import { type Cluster, type Machine, startCluster } from './cluster.ts'

const missing = programsMissing('patroni', 'etcd')
const options = { skip: missing || (postgresAvailable() ? false : postgresMissing) }

test(
  'a primary that its Patroni has left acknowledges nothing, also when Patroni is started again, and is copied anew',
  options,
  async (t) => {
    const cluster = await startCluster(['a'])
    t.after(() => cluster.stop())
    const old = await cluster.primary()
    const other = present(
      cluster.machines.find(({ name }) => name !== old.name),
      'the other server',
    )
    const [onOld, onOther] = [await connected(t, cluster, old), await connected(t, cluster, other)]
    await onOld.query('CREATE TABLE kept (n int)')
    for (const pid of old.patroni()) process.kill(pid, 'SIGKILL')
    const isStandby = 'SELECT pg_is_in_recovery() AS "isStandby"'
    await eventually(async () => (await onOther.query(isStandby)).rows[0]?.isStandby === false)

    const written = assert.rejects(onOld.query('INSERT INTO kept VALUES (1)'))
    const onlooker = await connected(t, cluster, old)
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    await eventually(async () => (await onlooker.query(waiting)).rowCount === 1)
    old.start()
    await written
    await cluster.whole()
    assert.deepEqual((await onOther.query('SELECT * FROM kept')).rows, [])

    // What the guide tells of a standby that does not follow.
    const [before] = old.postgres()
    old.copyAnew()
    await eventually(() => old.postgres().length === 1 && old.postgres()[0] !== before)
    await cluster.whole()
    assert.equal((await cluster.primary()).name, other.name)
  },
)

async function connected(t: TestContext, { network }: Cluster, { name }: Machine): Promise<pg.Client> {
  const connectionString = `postgres://claviger@127.0.0.1:${network.link('a', name).port}/postgres`
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  // Its server may be gone, and would never answer.
  t.after(() => void client.end().catch(() => undefined))
  return client
}
