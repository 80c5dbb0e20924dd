import assert from 'node:assert/strict'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { serveConsoleOf } from '../../src/host/cli/console/serve-console-of.ts'
import { verifyConsole } from '../../src/host/cli/console/verify-console.ts'
import { serviceAddress } from '../../src/host/cli/console/service-address.ts'
import { fromHex } from '../../src/trusted/base/bytes.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { stampWith } from '../support/stamper.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest(
  "the console of one's own disk works on a service elsewhere",
  async ({ service, root, browser }) => {
    const served = await serveConsoleOf(serviceAddress(service.url), 0)
    after(() => served.close())
    const page = await browser.newPage()
    await page.goto(served.url)
    await page.getByText('With an API key').click()
    const { organizationId, publicKey, privateKey } = root
    await page.getByLabel('Or paste it').fill(JSON.stringify({ organizationId, publicKey, privateKey }))
    await page.getByRole('button', { name: 'Sign in with this key' }).click()
    await page.getByRole('link', { name: 'Activities' }).click()
    await page.getByRole('link', { name: 'STAMP_LOGIN' }).first().waitFor()
  },
)

consoleTest('it hands on the stream of changes', async ({ service, root }) => {
  const served = await serveConsoleOf(service.url, 0)
  after(() => served.close())
  const key = {
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    ...root,
    privateKey: present(fromHex(root.privateKey), 'hex'),
  } as const
  const body = JSON.stringify({ organizationId: root.organizationId })
  const { stampHeaderName, stampHeaderValue } = stampWith(key, Buffer.from(body))
  const { port } = new URL(served.url)
  const stream = await fetch(`http://127.0.0.1:${port}/public/v1/stream/activities`, {
    method: 'POST',
    body,
    headers: { [stampHeaderName]: stampHeaderValue },
  })
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')
  const reader = stream.body?.getReader()
  const first = await reader?.read()
  assert.match(Buffer.from(first?.value ?? []).toString('utf8'), /^event: |^:/m)
  await reader?.cancel()
  const unstamped = await fetch(`http://127.0.0.1:${port}/public/v1/stream/activities`, {
    method: 'POST',
    body,
  })
  assert.equal(unstamped.status, 401)
})

consoleTest('a stream whose reader has gone is ended at the service too', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const elsewhere = createServer((_, response) => {
    response.on('close', leave)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: reset\n\n')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  after(() => elsewhere.close())
  // It listens on a port.
  const { port } = elsewhere.address() as AddressInfo
  const served = await serveConsoleOf(`http://127.0.0.1:${port}`, 0)
  after(() => served.close())
  const path = `http://127.0.0.1:${new URL(served.url).port}/public/v1/stream/activities`
  const reader = (await fetch(path, { method: 'POST', body: '{}' })).body?.getReader()
  assert.match(Buffer.from((await reader?.read())?.value ?? []).toString('utf8'), /^event: reset$/m)
  await reader?.cancel()
  await left
})

consoleTest('it hands on operations of the interface, and for its own page alone', async ({ service }) => {
  const served = await serveConsoleOf(service.url, 0)
  after(() => served.close())
  const { port } = new URL(served.url)
  const asked = async (path: string, headers: Record<string, string> = {}, method = 'POST') =>
    await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: '{}' }),
    })
  const whoami = '/public/v1/query/whoami'
  const own = await asked(whoami)
  assert.equal(own.status, 400)
  assert.match(await own.text(), /organizationId/)
  assert.equal(own.headers.get('access-control-allow-origin'), null)
  // A page of another origin, of another port of this machine, and one whose name was turned to this machine.
  for (const headers of [
    { origin: 'https://example.com' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    for (const path of [whoami, '/public/v1/stream/activities'])
      assert.equal((await asked(path, headers)).status, 403, `${path} ${JSON.stringify(headers)}`)
  assert.equal(await statusAs('rebound.example.com', Number(port)), 403)
  for (const path of ['/dev/inbox', '/metrics', '/healthz', '/public/v1/query/none', '/operator'])
    assert.equal((await asked(path, {}, 'GET')).status, 404, path)
})

consoleTest('the address of a service is https, or of this machine', async () => {
  assert.equal(serviceAddress('https://keys.example.com/console/'), 'https://keys.example.com')
  assert.equal(serviceAddress('http://localhost:4400/'), 'http://localhost:4400')
  for (const wrong of [
    'keys.example.com',
    'http://keys.example.com',
    'file:///etc',
    'https://a:b@example.com',
    'https://example.com/?a',
  ])
    assert.throws(() => serviceAddress(wrong), { name: 'UsageError' }, wrong)
})

consoleTest(
  'a host that serves this version is found the same, and one that changed a file or a header is not',
  async (setting) => {
    const { service } = setting
    const verdict = await verifyConsole(service.url)
    assert.deepEqual({ isSame: verdict.isSame, headers: verdict.headers }, { isSame: true, headers: [] })
    assert.ok(verdict.files.some(({ name }) => name.startsWith('app-')))

    const changed = await aLiar(service.url, (text) =>
      text.replace('Sign in with a passkey', 'Sign in with your key'),
    )
    const unguarded = await aLiar(service.url, (text) => text, ['content-security-policy'])
    const framed = await aLiar(service.url, (text, path) =>
      path === '/console/' ? `${text}<script src="x.js">` : text,
    )
    for (const [url, told] of [
      [changed, /./],
      [unguarded, /content-security-policy is not sent/],
      [framed, /./],
    ] as const) {
      const lie = await verifyConsole(url)
      assert.equal(lie.isSame, false)
      assert.match(
        [...lie.headers, ...lie.files.filter(({ found }) => found !== 'same').map(({ name }) => name)].join(),
        told,
      )
    }
  },
)

consoleTest('each file that a page loads late is compared as well', async ({ service }) => {
  const isLate = (name: string): boolean => name.endsWith('.js') && !name.startsWith('app-')
  const late = (await verifyConsole(service.url)).files.map(({ name }) => name).filter(isLate)
  for (const begins of ['readers-', 'ethereum-words-', 'bundles-', 'lint-', 'approvals-'])
    assert.ok(
      late.some((name) => name.startsWith(begins)),
      begins,
    )
  // One of them, by one byte; and then all of them, which index.html and its script say nothing of.
  const one = late.find((name) => name.startsWith('ethereum-words-'))
  for (const changed of [[one], late]) {
    const host = await aLiar(service.url, (text, path) =>
      changed.includes(path.replace('/console/', '')) ? `${text} ` : text,
    )
    const verdict = await verifyConsole(host)
    assert.equal(verdict.isSame, false)
    const different = verdict.files.filter(({ found }) => found !== 'same').map(({ name }) => name)
    assert.deepEqual(different, changed)
  }
})

/** The status for a page that comes by another name of this machine. */
function statusAs(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const path = '/public/v1/query/whoami'
    const request = ask({ host: '127.0.0.1', port, path, method: 'POST', headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
    request.end('{}')
  })
}

/** A host between that changes what it hands on. */
async function aLiar(
  service: string,
  change: (text: string, path: string) => string,
  withoutHeaders: readonly string[] = [],
): Promise<string> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(`${service}${request.url}`)
      const headers = [...answer.headers].filter(
        ([name]) =>
          !['content-length', 'content-encoding', 'transfer-encoding', ...withoutHeaders].includes(name),
      )
      response
        .writeHead(answer.status, Object.fromEntries(headers))
        .end(change(await answer.text(), request.url ?? ''))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  // A TCP server that listens has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
