import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  devEnvOf,
  projectFolder,
  ready,
  runCommand,
  runService,
  start,
  temporaryFolder,
} from '../support/running-service.ts'

const ORIGIN = 'https://shop.example'

test('a service limits unless it is told not to, counts what it limited, and has an auth proxy where a file says so', async () => {
  const dataFolder = join(temporaryFolder(), 'data')
  const first = await runService('dev', { dataFolder })
  const env = devEnvOf(dataFolder)
  assert.equal((await fetch(`${first.url}/v1/wallet_kit_config`, { method: 'POST' })).status, 404)
  for (let i = 0; i < 2; i++)
    await (await fetch(`${first.url}/healthz`, { headers: { 'x-forwarded-for': '198.51.100.1' } })).text()
  await first.stop()
  const warnings = first.output().split('X-Forwarded-For is sent and not read').length - 1
  assert.equal(warnings, 1, 'it is said once')

  const path = join(temporaryFolder(), 'auth-proxy.json')
  const config = {
    configId: 'shop',
    organizationId: env.ORGANIZATION_ID,
    apiPublicKey: env.API_PUBLIC_KEY,
    apiPrivateKey: env.API_PRIVATE_KEY,
    allowedOrigins: [ORIGIN],
    allow: { otpEmail: true },
  }
  writeFileSync(path, JSON.stringify([config]))
  chmodSync(path, 0o600)
  const second = await runService('dev', {
    dataFolder,
    CLAVIGER_AUTH_PROXY: path,
    CLAVIGER_RATE_LIMITS: 'address=1',
    CLAVIGER_TRUSTED_PROXIES: '127.0.0.1',
  })
  const ask = async (from: string) => {
    const headers = { origin: ORIGIN, 'x-auth-proxy-config-id': 'shop', 'x-forwarded-for': from }
    const answer = await fetch(`${second.url}/v1/wallet_kit_config`, { method: 'POST', headers, body: '{}' })
    await answer.arrayBuffer()
    return answer.status
  }
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) statuses.push(await ask('198.51.100.1'))
  assert.deepEqual(statuses.slice(0, 5), [200, 200, 200, 200, 200])
  const limited = statuses.filter((status) => status === 429).length
  assert.ok(limited >= 1)
  assert.equal(await ask('198.51.100.2'), 200)
  const metrics = await (await fetch(`${second.url}/metrics`)).text()
  assert.ok(metrics.includes(`claviger_limited_requests_total{kind="address"} ${limited}\n`), metrics)
  assert.ok(!second.output().includes(env.API_PRIVATE_KEY))
  assert.ok(!second.output().includes('X-Forwarded-For'))
  await second.stop()
})

test('what is open to everybody is within the limits too, but for what tells that the service is well', async () => {
  const service = await runService('dev', { CLAVIGER_RATE_LIMITS: 'address=1' })
  const statuses = async (path: string): Promise<readonly number[]> => {
    const all: number[] = []
    for (let asked = 0; asked < 8; asked++) {
      const answer = await fetch(`${service.url}${path}`)
      await answer.arrayBuffer()
      all.push(answer.status)
    }
    return all
  }
  // One of these costs as much as all that an address has at once.
  assert.deepEqual(await statuses('/openapi.json'), [200, ...Array<number>(7).fill(429)])
  for (const path of ['/', '/metrics', '/public/v1/discovery/keys', '/public/v1/discovery/webhooks/jwks'])
    assert.ok((await statuses(path)).includes(429), path)
  for (const path of ['/healthz', '/readyz'])
    assert.deepEqual(await statuses(path), Array<number>(8).fill(200), path)
  await service.stop()
})

test('with 256 descriptors, four hundred connections that say nothing keep nobody out', async () => {
  const dataFolder = join(temporaryFolder(), 'data')
  const started = start(
    ['--nofile=256:256', process.execPath, join(projectFolder, 'bin/claviger.js'), 'dev'],
    { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' },
    { program: 'prlimit' },
  )
  const service = await ready(started, dataFolder, 'Stop with Ctrl-C')
  const { hostname, port } = new URL(service.url)
  const sockets: Socket[] = []
  try {
    for (let attacks = 0; attacks < 400; attacks++) {
      const socket = connect({
        host: hostname,
        port: Number(port),
        localAddress: `127.0.0.${2 + (attacks % 2)}`,
      })
      sockets.push(socket)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write('POST /public/v1/query/whoami HTTP/1.1\r\nhost: x\r\n')
    }
    for (let others = 0; others < 10; others++)
      assert.equal((await fetch(`${service.url}/readyz`, { headers: { connection: 'close' } })).status, 200)
    assert.equal((await runCommand(['webhooks', 'backlog'], { CLAVIGER_DATA: dataFolder })).code, 0)
  } finally {
    for (const socket of sockets) socket.destroy()
    await service.kill()
  }
  assert.doesNotMatch(service.output(), /"level":"error"/)
})
