import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import {
  eventsIn,
  runCommand,
  type RunningService,
  runService,
  type Settings,
} from '../support/running-service.ts'
import { founder, init } from './founder.ts'

const services = new Set<RunningService>()
after(() => Promise.all([...services].map((service) => service.kill())))

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
