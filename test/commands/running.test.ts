import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { queries } from '../../src/host/queries/list.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import {
  devEnvOf,
  eventsIn,
  runCommand,
  type RunningService,
  runService,
} from '../support/running-service.ts'
import { stampWith } from '../support/stamper.ts'
import { founder, init, signs } from './founder.ts'

const open = new Set<RunningService>()
after(() => Promise.all([...open].map((service) => service.kill())))

test('the service tells of its health, its interface and its public keys to anyone who asks', async () => {
  const service = await opened(runService('dev'))
  const get = async (path: string) => {
    const answer = await fetch(`${service.url}${path}`)
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  assert.deepEqual(await get('/healthz'), { status: 200, type: 'application/json', text: '{"status":"ok"}' })
  assert.deepEqual(await get('/readyz'), {
    status: 200,
    type: 'application/json',
    text: '{"status":"ready"}',
  })

  const openApi = JSON.parse((await get('/openapi.json')).text)
  assert.deepEqual(openApi, JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')))
  for (const { operation } of activities)
    assert.ok(openApi.paths[`/public/v1/submit/${operation}`], operation)
  for (const { operation } of queries) assert.ok(openApi.paths[`/public/v1/query/${operation}`], operation)

  const keys = JSON.parse((await get('/public/v1/discovery/keys')).text)
  assert.equal(keys.signer, devEnvOf(service.dataFolder).SIGNER_PUBLIC_KEY)
  for (const name of ['signer', 'session', 'otp']) assert.match(keys[name], /^04[0-9a-f]{128}$/, name)
  assert.match(keys.webhook, /^[0-9a-f]{64}$/)

  await fetch(`${service.url}/nowhere/${'x'.repeat(40)}`)
  const metrics = await get('/metrics')
  assert.equal(metrics.type, 'text/plain; version=0.0.4')
  assert.match(metrics.text, /^claviger_requests_total\{route="\/healthz",status="200"\} 1$/m)
  // What a caller makes up is no label, or anyone could fill the memory of the collector.
  assert.match(metrics.text, /^claviger_requests_total\{route="none",status="404"\} 1$/m)
  assert.match(metrics.text, /^claviger_request_seconds_bucket\{route="\/healthz",le="\+Inf"\} 1$/m)
  assert.match(metrics.text, /^claviger_bugs_total 0$/m)
  const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8')
  const told = [...metrics.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  assert.ok(told.length > 5)
  for (const [, name, type] of told) assert.ok(page.includes(`| \`${name}\` | ${type} |`), name)
  for (const line of metrics.text.trim().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) claviger_\w+ .+|claviger_\w+(\{[^}]*\})? [\d.e-]+)$/)
})

test('what the service tells of itself takes GET and HEAD, and says so where another method is sent', async () => {
  const { url } = await opened(runService('dev'))
  const paths = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/public/v1/discovery/keys']
  for (const path of paths) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${url}${path}`, { method })
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], path)
      const message = `method ${method} is not allowed at ${path}; send GET or HEAD`
      assert.deepEqual(await answer.json(), { code: 12, message, details: [] })
    }
    const head = await fetch(`${url}${path}`, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''], path)
    assert.ok(Number(head.headers.get('content-length')) > 0, path)
  }
})

test('SIGTERM: a request under way is answered, new connections are refused, and it ends with 0', async () => {
  const service = await opened(runService('dev'))
  const slow = await slowRequest(service)
  assert.ok(service.hostPid > 0)
  process.kill(service.hostPid, 'SIGTERM')
  await refused(service.url)
  const answer = await slow.finish()
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(answer, /"username":"Root"/)
  assert.equal(await service.ended, 0)
  assert.equal(eventsIn(service.output(), 'drained').length, 1)
  assert.throws(() => process.kill(service.vaultPid, 0), { code: 'ESRCH' })
})

test('without its vault the service ends by itself, and starts again with everything it had', async () => {
  const service = await opened(runService('dev'))
  const { dataFolder } = service
  process.kill(service.vaultPid, 'SIGKILL')
  assert.equal(await service.ended, 1)
  assert.equal(eventsIn(service.output(), 'vault ended').length, 1)
  const again = await opened(runService('dev', { dataFolder }))
  assert.equal(await whoami(again), 200)
})

test('neither keys nor stamps nor bodies are ever in the log, whatever is sent', async () => {
  const service = await opened(runService('dev'))
  const { dataFolder } = service
  const { API_PRIVATE_KEY, ORGANIZATION_ID } = devEnvOf(dataFolder)
  const rootKey = /"key": "([0-9a-f]{64})"/.exec(readFileSync(join(dataFolder, 'root.key'), 'utf8'))?.[1]
  assert.ok(rootKey !== undefined)
  const bodies = [
    JSON.stringify({ organizationId: ORGANIZATION_ID, secret: 'very-secret-body' }),
    'not JSON, but a very-secret-body',
    `{"organizationId":"very-secret-body"}`,
  ]
  const stamps: string[] = []
  for (const body of bodies) {
    const { stampHeaderName, stampHeaderValue } = stampOf(service, body)
    stamps.push(stampHeaderValue)
    for (const path of ['query/whoami', 'submit/create_users', 'submit/nothing']) {
      const url = `${service.url}/public/v1/${path}?token=very-secret-query`
      await fetch(url, { method: 'POST', body, headers: { [stampHeaderName]: stampHeaderValue } })
    }
  }
  assert.equal(await whoami(service), 200)
  await service.stop()
  const log = service.output()
  for (const secret of [API_PRIVATE_KEY, rootKey, 'very-secret', ...stamps])
    assert.equal(log.includes(secret), false, `the log holds ${secret}:\n${log}`)
})

const skip = postgresAvailable() ? false : postgresMissing

test('two hosts on one PostgreSQL serve what the other wrote', { skip }, async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATABASE_URL: await freshDatabase() }
  const { organizationId, output } = await init(dataFolder, key, settings)
  assert.match(output, /^ORGANIZATION_ID=/m, output)
  const [one, two] = await Promise.all([
    opened(runService('serve', { dataFolder, ...settings })),
    opened(runService('serve', { dataFolder, ...settings })),
  ])
  for (const service of [one, two])
    assert.equal(eventsIn(service.output(), 'listening')[0]?.['store'], 'postgres')
  const as = { organizationId, key }
  assert.deepEqual(await Promise.all([signs(one.url, as), signs(two.url, as)]), ['Ada', 'Ada'])
  const seen = [await privateKeyNames(one.url, as), await privateKeyNames(two.url, as)]
  assert.equal(seen[0]?.length, 2)
  assert.deepEqual(seen[0], seen[1])

  const doctor = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', ...settings })
  assert.equal(doctor.code, 0, doctor.output)
  assert.match(doctor.output, /^ok {2}the postgres store opens and commits durably$/m)
  const stranger = founder()
  await init(stranger.dataFolder, stranger.key)
  const wrong = await runCommand(['serve'], {
    CLAVIGER_DATA: stranger.dataFolder,
    CLAVIGER_PORT: '0',
    ...settings,
  })
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /this data was written under another root key/)
})

test('a database that does not answer is told in a sentence, without its password', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const { code, output } = await runCommand(['serve'], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/claviger',
    CLAVIGER_PORT: '0',
  })
  assert.equal(code, 4)
  assert.match(output, /^claviger serve: /)
  assert.doesNotMatch(output, /hunter2|\n {4}at /)
})

async function opened(starting: Promise<RunningService>): Promise<RunningService> {
  const service = await starting
  open.add(service)
  return service
}

function stampOf({ dataFolder }: RunningService, body: string) {
  const { API_PRIVATE_KEY, API_PUBLIC_KEY: publicKey } = devEnvOf(dataFolder)
  const privateKey = Buffer.from(API_PRIVATE_KEY, 'hex')
  return stampWith({ scheme: 'SIGNATURE_SCHEME_TK_API_P256', privateKey, publicKey }, body)
}

async function whoami(service: RunningService): Promise<number> {
  const body = JSON.stringify({ organizationId: devEnvOf(service.dataFolder).ORGANIZATION_ID })
  const { stampHeaderName, stampHeaderValue } = stampOf(service, body)
  const headers = { [stampHeaderName]: stampHeaderValue }
  const answer = await fetch(`${service.url}/public/v1/query/whoami`, { method: 'POST', body, headers })
  await answer.arrayBuffer()
  return answer.status
}

/** A request of which the service has the head and half of the body, on a connection of its own. */
async function slowRequest(service: RunningService): Promise<{ readonly finish: () => Promise<string> }> {
  const { hostname, port } = new URL(service.url)
  const body = JSON.stringify({ organizationId: devEnvOf(service.dataFolder).ORGANIZATION_ID })
  const { stampHeaderName, stampHeaderValue } = stampOf(service, body)
  const socket = createConnection({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  const ended = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.on('error', reject)
  })
  const head = [
    'POST /public/v1/query/whoami HTTP/1.1',
    'Host: claviger',
    'Expect: 100-continue',
    `${stampHeaderName}: ${stampHeaderValue}`,
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // "100 Continue" shows that the request is being served.
  await new Promise((resolve) => socket.once('data', resolve))
  chunks.length = 0
  socket.write(body.slice(0, 10))
  return {
    finish: () => {
      socket.write(body.slice(10))
      return ended
    },
  }
}

/** Waits until a new connection is refused. */
async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const isRefused = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ host: hostname, port: Number(port) })
      socket.once('error', () => resolve(true))
      socket.once('connect', () => {
        socket.destroy()
        resolve(false)
      })
    })
    if (isRefused) return
  }
}

async function privateKeyNames(
  url: string,
  { organizationId, key }: { readonly organizationId: string; readonly key: Parameters<typeof stampWith>[0] },
): Promise<readonly string[]> {
  const body = JSON.stringify({ organizationId })
  const { stampHeaderName, stampHeaderValue } = stampWith(key, body)
  const answer = await fetch(`${url}/public/v1/query/list_private_keys`, {
    method: 'POST',
    body,
    headers: { [stampHeaderName]: stampHeaderValue },
  })
  const { privateKeys } = await answer.json()
  return privateKeys.map(({ privateKeyName }: { privateKeyName: string }) => privateKeyName)
}
