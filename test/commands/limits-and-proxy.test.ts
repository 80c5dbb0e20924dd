import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { devEnvOf, runService, temporaryFolder } from '../support/running-service.ts'

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
