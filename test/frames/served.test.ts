import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildFrames } from '../../frames/build.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { runService } from '../support/running-service.ts'

const ORIGINS = 'https://shop.example,http://localhost:5173'
const service = await runService('dev', { CLAVIGER_FRAMES_ORIGINS: ORIGINS, CLAVIGER_FRAMES_PORT: '0' })
after(() => service.kill())
const frames = present(/"frames":"([^"]+)"/.exec(service.output())?.[1], 'the address of the frames')
const NAMES = ['auth', 'export', 'import', 'export-and-sign']

test('each frame has the signer key of this service and the allowed origins written into it', async () => {
  const keys = (await (await fetch(`${service.url}/public/v1/discovery/keys`)).json()) as {
    readonly signer: string
  } // the tests of this address hold it to its shape
  for (const name of NAMES) {
    const page = await (await fetch(`${frames}/${name}/`)).text()
    assert.ok(page.includes(`data-signer-key="${keys.signer}"`), name)
    assert.ok(page.includes('data-allowed-origins="https://shop.example http://localhost:5173"'), name)
  }
})

test('a frame loads nothing from elsewhere, reaches no network, and is shown by allowed pages alone', async () => {
  for (const path of NAMES.flatMap((name) => [`/${name}/`, `/${name}/frame.js`, `/${name}/frame.css`])) {
    const { status, headers } = await fetch(`${frames}${path}`)
    assert.equal(status, 200, path)
    assert.deepEqual(headers.get('content-security-policy')?.split('; '), [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors https://shop.example http://localhost:5173',
      'sandbox allow-scripts allow-same-origin',
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('origin-agent-cluster'), '?1')
    assert.equal(headers.get('access-control-allow-origin'), null, 'no page reads a frame')
  }
})

test('the port of the frames answers nothing else, and no other port has the frames', async () => {
  const paths = [
    '/',
    '/console/',
    '/openapi.json',
    '/public/v1/discovery/keys',
    '/metrics',
    '/dev/inbox',
    '/healthz',
  ]
  for (const path of paths) assert.equal((await fetch(`${frames}${path}`)).status, 404, path)
  const query = { method: 'POST', body: '{}' }
  assert.equal((await fetch(`${frames}/public/v1/query/whoami`, query)).status, 404)
  assert.equal((await fetch(`${frames}/export/`, query)).status, 405)
  assert.equal((await fetch(`${service.url}/export/`)).status, 404)
})

test('without allowed origins there are no frames', async () => {
  const without = await runService('dev', { CLAVIGER_FRAMES_PORT: '0' })
  assert.ok(!without.output().includes('"frames":'))
  await without.kill()
})

test('the same sources are the same frames, and none of them is heavy', async () => {
  const [one, other] = [await buildFrames(), await buildFrames()]
  assert.deepEqual(one, other)
  for (const { name, bytes } of one) assert.ok(bytes.length < 120_000, `${name} has ${bytes.length} bytes`)
})
