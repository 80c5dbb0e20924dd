import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import type { Json } from './emulated-user.ts'
import { startClaviger } from './start-claviger.ts'

/** One request with exactly these headers: `fetch` would not let a test say Host or Origin. */
function sent(
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<{ readonly status: number; readonly headers: Json; readonly json: Json }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers: { ...headers }, agent: false }, async (incoming) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
      const text = Buffer.concat(chunks).toString('utf8')
      const json = text.startsWith('{') ? JSON.parse(text) : text
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, json })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

test('suites in any language have the same controls over HTTP', async () => {
  await using c = await startClaviger({ seed: 7, fixtures: 'treasury' })
  const control = async (path: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST'
    const { status, json } = await sent(`${c.baseUrl}/emulator${path}`, {
      method,
      body: JSON.stringify(body) ?? '',
    })
    assert.equal(json.service ?? 'Claviger EMULATOR', 'Claviger EMULATOR')
    return { ...json, status }
  }
  const told = await control('')
  assert.equal(told.organizationId, c.organizationId)
  assert.equal(told.root.apiPrivateKey, c.root.apiPrivateKey)
  assert.equal(told.results.treasury.walletId, Reflect.get(Object(c.results['treasury']), 'walletId'))
  assert.equal((await control('/clock', { advance: '2h' })).now, '2026-01-01T02:00:00.000Z')
  const { snapshot } = await control('/snapshot', {})
  const eve = await control('/users', { userName: 'Eve' })
  assert.equal(eve.apiPublicKey, c.user('Eve').apiPublicKey)
  assert.equal((await control('/faults', { operation: 'whoami', fault: { status: 429 } })).status, 200)
  assert.equal((await c.root.query('whoami')).status, 429)
  assert.equal((await control('/requests')).requests.length, 1)
  assert.equal((await control('/restore', { snapshot })).status, 200)
  assert.equal(c.clock.now().toISOString(), '2026-01-01T02:00:00.000Z')
  assert.throws(() => c.user('Eve'), /has made no user/)
  await c.root.submit('set_organization_feature', {
    name: 'FEATURE_NAME_WEBHOOK',
    value: 'https://x.example/',
  })
  assert.equal((await control('/webhooks/next', {})).webhook.url, 'https://x.example/')
  await c.root.submit('set_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
  await c.root.submit('init_otp', { otpType: 'OTP_TYPE_EMAIL', contact: 'eve@example.com', appName: 'Shop' })
  assert.equal(
    (await control('/inbox/code', { contact: 'eve@example.com' })).code,
    c.inbox.code('eve@example.com'),
  )
  assert.equal((await control('/inbox')).messages.length, 1)
  assert.equal((await control('/reset', {})).status, 200)
  assert.equal(c.clock.now().toISOString(), '2026-01-01T00:00:00.000Z')
})

test('a control that is asked for what it cannot do says what to ask instead', async () => {
  await using c = await startClaviger()
  const refused = async (path: string, body: string) => {
    const { status, json } = await sent(`${c.baseUrl}/emulator${path}`, { method: 'POST', body })
    assert.equal(status, 400, json.message)
    return String(json.message)
  }
  const fault = '{"status":503}'
  assert.match(
    await refused('/faults', `{"operation":"create_walet","fault":${fault}}`),
    /there is no operation "create_walet"/,
  )
  assert.match(
    await refused('/faults', `{"operation":"create_all_wallets","fault":${fault}}`),
    /there is delete_wallets, list_wallets/,
  )
  for (const wrong of [
    '{"status":200}',
    '{"delayMs":-1}',
    '{"dropAnswer":false}',
    '{"status":503,"delayMs":1}',
    '1',
  ])
    assert.match(
      await refused('/faults', `{"operation":"whoami","fault":${wrong}}`),
      /is not a fault; send one of/,
    )
  assert.match(
    await refused('/faults', '{"operation":"whoami","fault":{"pendingConsensus":true}}'),
    /whoami does not wait for votes/,
  )
  for (const wrong of ['"2 hours"', '"-2h"', '-1', '1.5', '"999999999999d"', '{}', 'null'])
    assert.match(await refused('/clock', `{"advance":${wrong}}`), /is not a duration; send one such as "2h"/)
  assert.match(await refused('/restore', '{"snapshot":"9"}'), /there is no snapshot "9"/)
  assert.match(await refused('/inbox/code', '{"contact":"eve@example.com"}'), /the inbox is empty/)
  assert.match(await refused('/webhooks/next', '{"withinMs":1e9}'), /up to 60000/)
  assert.match(await refused('/users', '{"userName":7}'), /userName/)
  assert.match(await refused('/users', '[]'), /object/)
})

test('no page of another site reads or turns the controls, whatever name it has and whatever its browser tells', async () => {
  await using c = await startClaviger()
  const { host } = new URL(c.baseUrl)
  const paths = ['GET /emulator', 'GET /emulator/requests', 'POST /emulator/reset', 'POST /emulator/clock']
  const pages: readonly object[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    // A name that was turned to this machine after the page was loaded from it.
    { host: 'evil.example', 'sec-fetch-site': 'same-origin' },
    { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    { host: '127.0.0.1.evil.example' },
  ]
  for (const path of [...paths, 'GET /dev/inbox', 'GET /dev/inbox.json'])
    for (const headers of pages) {
      const [method = '', at = ''] = path.split(' ')
      const { status, headers: told, json } = await sent(`${c.baseUrl}${at}`, { method, headers })
      assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`)
      assert.match(json.message, /not for other pages/)
      assert.equal(told['x-claviger'], 'EMULATOR')
    }
  const own = await sent(`${c.baseUrl}/emulator`, { headers: { host, origin: c.baseUrl } })
  assert.equal(own.status, 200)
  assert.equal(own.headers['access-control-allow-origin'], undefined, 'not even where it could be asked')
  assert.equal(c.clock.now().toISOString(), '2026-01-01T00:00:00.000Z')
})

test('every answer says that it is an emulator’s', async () => {
  await using c = await startClaviger()
  for (const path of [
    '/',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/nowhere',
    '/public/v1/discovery/keys',
    '/dev/inbox',
  ])
    assert.equal((await sent(`${c.baseUrl}${path}`)).headers['x-claviger'], 'EMULATOR', path)
  const options = await sent(`${c.baseUrl}/public/v1/query/whoami`, { method: 'OPTIONS' })
  assert.equal(options.headers['x-claviger'], 'EMULATOR')
})
