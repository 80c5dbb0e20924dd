import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import {
  devEnvOf,
  eventsIn,
  runCommand,
  type RunningService,
  runService,
  temporaryFolder,
} from '../support/running-service.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { signs } from './founder.ts'

const services = new Set<RunningService>()
after(() => Promise.all([...services].map((service) => service.kill())))

const status = async (url: string): Promise<number> => (await fetch(url)).status

/** A service with a port for operators. */
async function watchedElsewhere(settings: { readonly [name: string]: string } = {}) {
  const service = await runService('dev', { CLAVIGER_OPERATOR_PORT: '0', ...settings })
  services.add(service)
  const [listening] = eventsIn(service.output(), 'listening')
  return { service, operator: String(listening?.['operator']) }
}

test('with a port for operators, the port of the interface tells nothing but that it lives', async () => {
  const { service, operator } = await watchedElsewhere()
  for (const path of ['/healthz', '/readyz', '/metrics'])
    assert.equal(await status(`${operator}${path}`), 200, path)
  assert.equal(await status(`${service.url}/healthz`), 200)
  for (const path of ['/readyz', '/metrics']) assert.equal(await status(`${service.url}${path}`), 404, path)
  assert.doesNotMatch(await (await fetch(service.url)).text(), /readyz/)
  for (const path of ['/', '/openapi.json', '/public/v1/query/whoami', '/operator/deliveries', '/console/'])
    assert.equal(await status(`${operator}${path}`), 404, path)
  assert.equal(await service.stop(), 0)
})

test('metrics tell of the build, the process, the vault, commits, activities and failed authentications', async () => {
  const settings = postgresAvailable() ? { CLAVIGER_DATABASE_URL: await freshDatabase() } : {}
  for (const store of [{}, settings]) {
    const { service, operator } = await watchedElsewhere(store)
    const {
      ORGANIZATION_ID: organizationId,
      API_PUBLIC_KEY: publicKey,
      API_PRIVATE_KEY,
    } = devEnvOf(service.dataFolder)
    const privateKey = Buffer.from(API_PRIVATE_KEY, 'hex')
    const key = { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey, privateKey } as const
    await signs(service.url, { organizationId, key })
    const wrong = {
      ...key,
      privateKey: Buffer.from(
        API_PRIVATE_KEY.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
        'hex',
      ),
    }
    await assert.rejects(signs(service.url, { organizationId, key: wrong }), /401/)
    const text = await (await fetch(`${operator}/metrics`)).text()
    for (const line of [
      /^claviger_build_info\{version="\d+\.\d+\.\d+",store="\w+",secp256k1="\w+",node="v\d+[\d.]+"\} 1$/m,
      /^claviger_process_cpu_seconds_total [\d.]+$/m,
      /^claviger_process_resident_memory_bytes \d+$/m,
      /^claviger_event_loop_lag_seconds\{quantile="0.99"\} [\d.e-]+$/m,
      /^claviger_free_disk_bytes \d+$/m,
      /^claviger_vault_call_seconds_count\{call="decide"\} \d+$/m,
      /^claviger_commit_seconds_count\{outcome="committed"\} \d+$/m,
      /^claviger_activities_total\{type="ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",status="ACTIVITY_STATUS_COMPLETED"\} 1$/m,
      /^claviger_authentication_failures_total\{error="\w+"\} 1$/m,
    ])
      assert.match(text, line)
    const [, units = '', commits = ''] =
      /^claviger_commit_batch_units_sum (\d+)\nclaviger_commit_batch_units_count (\d+)$/m.exec(text) ?? []
    assert.ok(Number(units) >= Number(commits) && Number(commits) > 2, text)
    for (const pool of store === settings && postgresAvailable()
      ? ['units', 'records', 'lists', 'vital']
      : []) {
      assert.match(text, new RegExp(`^claviger_pool_connections\\{pool="${pool}",state="idle"\\} \\d+$`, 'm'))
      assert.match(text, new RegExp(`^claviger_pool_waiting\\{pool="${pool}"\\} 0$`, 'm'))
    }
    assert.equal(
      /^claviger_store_bytes [1-9]\d*$/m.test(text),
      store === settings ? !postgresAvailable() : true,
    )
    const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8')
    for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
      assert.ok(page.includes(`| \`${name}\` | ${type} |`), name)
    assert.equal(await service.stop(), 0)
  }
})

test('a port for operators that is taken is said by its name, and nothing is left running', async () => {
  const { service, operator } = await watchedElsewhere()
  const { code, output } = await runCommand(['dev'], {
    CLAVIGER_DATA: `${temporaryFolder()}/data`,
    CLAVIGER_PORT: '0',
    CLAVIGER_OPERATOR_PORT: new URL(operator).port,
  })
  assert.equal(code, 1)
  assert.match(output, /CLAVIGER_OPERATOR_PORT is \d+, and another process listens there already/)
  await service.stop()
})
