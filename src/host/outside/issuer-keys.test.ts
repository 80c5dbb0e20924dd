import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLocalJWKSet, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { eventually } from '../../../test/support/eventually.ts'
import { testWorld } from '../../../test/support/service.ts'
import { openIssuerKeys } from './issuer-keys.ts'
import { openOutbound } from './outbound.ts'
import type { OutboundErrorKind } from './outbound-error.ts'
import { endlessTimers } from './testing/timers.ts'

const MINUTE = 60_000

/** A server whose listener can be changed, clocks that are set, and the keys of issuers over it. */
async function house(context: TestContext) {
  const serving: { listener: RequestListener } = {
    listener: (_request, response) => response.writeHead(503).end(),
  }
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    serving.listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
  context.after(() => {
    outbound.close()
    server.close()
  })
  // A TCP server that listens has an address and a port.
  const { port } = server.address() as AddressInfo
  const world = testWorld()
  const keys = openIssuerKeys({ outbound, elapsed: world.elapsed })
  return { serving, asked, world, keys, issuer: `http://127.0.0.1:${port}` }
}

function key(kid: string): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
}

/** A real issuer with these keys. */
function issuing(issuer: string, ...keys: readonly JWK[]): RequestListener {
  const provider = new Provider(issuer, {
    jwks: { keys: [...keys] },
    cookies: { keys: ['for tests'] },
    features: { devInteractions: { enabled: false } },
  })
  return provider.callback()
}

const json =
  (documents: Readonly<Record<string, unknown>>): RequestListener =>
  (request, response) => {
    const found = documents[request.url ?? '']
    if (found === undefined) response.writeHead(404).end()
    else response.writeHead(200).end(typeof found === 'string' ? found : JSON.stringify(found))
  }

const failsAs = (kind: OutboundErrorKind) => (error: unknown) => {
  assert.ok(error instanceof Error && 'kind' in error, String(error))
  assert.equal(error.kind, kind, error.message)
  return true
}

const kidsIn = (text: string) => (JSON.parse(text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)

test('a token of a real issuer is verified with the keys found by discovery', async (context) => {
  const { serving, keys, issuer } = await house(context)
  const signing = key('one')
  serving.listener = issuing(issuer, signing)
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(issuer)
    .sign(await importJWK(signing))

  const text = await keys.get(issuer)

  const { payload } = await jwtVerify(token, createLocalJWKSet(JSON.parse(text)), { issuer })
  assert.equal(payload.iss, issuer)
  assert.doesNotMatch(text, /"d"/)
})

test('keys are kept for ten minutes, and calls at once share one fetch', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  serving.listener = issuing(issuer, key('one'))

  await Promise.all(Array.from({ length: 20 }, () => keys.get(issuer, { kid: 'one' })))
  world.advance(10 * MINUTE - 1)
  await keys.get(issuer)
  assert.equal(asked.length, 2, 'one discovery, one key set')

  world.advance(1)
  await Promise.all([keys.get(issuer), keys.get(issuer)])
  assert.equal(asked.length, 4)
})

test('a rotated key is found, and an unknown one makes no more than one fetch in 30 seconds', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  const [one, two] = [key('one'), key('two')]
  serving.listener = issuing(issuer, one)
  await keys.get(issuer, { kid: 'one' })
  serving.listener = issuing(issuer, two, one)

  world.advance(30_000 - 1)
  assert.deepEqual(kidsIn(await keys.get(issuer, { kid: 'two' })), ['one'])
  assert.equal(asked.length, 2)
  world.advance(1)
  assert.deepEqual(kidsIn(await keys.get(issuer, { kid: 'two' })), ['two', 'one'])
  assert.equal(asked.length, 4)

  for (let index = 0; index < 100; index++) await keys.get(issuer, { kid: `made up ${index}` })
  assert.equal(asked.length, 4)
  serving.listener = issuing(issuer, two)
  world.advance(10 * MINUTE)
  assert.deepEqual(kidsIn(await keys.get(issuer, { kid: 'one' })), ['two'])
})

test('a clock that is set back makes neither keys younger nor the pause after a failure longer', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  const setBack = () => world.setClock(world.now() - 60 * MINUTE)
  await assert.rejects(keys.get(issuer), failsAs('badResponse'))
  setBack()
  serving.listener = issuing(issuer, key('one'))
  world.advance(5_000)
  await keys.get(issuer, { kid: 'one' })

  setBack()
  serving.listener = issuing(issuer, key('two'))
  world.advance(30_000)
  assert.deepEqual(kidsIn(await keys.get(issuer, { kid: 'two' })), ['two'])
  setBack()
  serving.listener = issuing(issuer, key('three'))
  world.advance(10 * MINUTE)
  assert.deepEqual(kidsIn(await keys.get(issuer, { kid: 'two' })), ['three'])
  assert.equal(asked.length, 7)
})

test('while an issuer fails its keys serve for an hour more, and it is asked now and then', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  const working = issuing(issuer, key('one'))
  serving.listener = working
  const text = await keys.get(issuer)
  serving.listener = (_request, response) => response.destroy()

  world.advance(10 * MINUTE)
  assert.equal(await keys.get(issuer), text)
  assert.equal(await keys.get(issuer, { kid: 'two' }), text)
  assert.equal(asked.length, 3, 'not asked again at once')
  world.advance(60 * MINUTE - 1)
  assert.equal(await keys.get(issuer), text)
  assert.equal(asked.length, 4)
  world.advance(1)
  await assert.rejects(keys.get(issuer), failsAs('unreachable'))

  serving.listener = working
  world.advance(30_000)
  assert.equal(await keys.get(issuer), text)
})

test('a failed search for an unknown key does not disturb those who use a known one', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  serving.listener = issuing(issuer, key('one'))
  const text = await keys.get(issuer)
  serving.listener = (_request, response) => response.destroy()
  world.advance(MINUTE)
  assert.equal(await keys.get(issuer, { kid: 'two' }), text)
  assert.equal(asked.length, 3)
  world.advance(MINUTE)
  assert.equal(await keys.get(issuer, { kid: 'one' }), text)
  assert.equal(asked.length, 3)
})

test('an issuer that never worked is left alone for a moment', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  await assert.rejects(keys.get(issuer), failsAs('badResponse'))
  await assert.rejects(keys.get(issuer), failsAs('badResponse'))
  assert.equal(asked.length, 1)
  serving.listener = issuing(issuer, key('one'))
  world.advance(5_000)
  assert.deepEqual(kidsIn(await keys.get(issuer)), ['one'])
})

test('an issuer with a path is asked under its path', async (context) => {
  const { serving, asked, keys, issuer } = await house(context)
  const named = `${issuer}/tenant/`
  serving.listener = json({
    '/tenant/.well-known/openid-configuration': { issuer: named, jwks_uri: `${issuer}/keys` },
    '/keys': { keys: [{ kid: 'one' }, {}, 'no key', { kid: 1 }] },
  })
  assert.equal(kidsIn(await keys.get(named, { kid: 'one' }))[0], 'one')
  assert.deepEqual(asked, ['/tenant/.well-known/openid-configuration', '/keys'])
})

test('what discovery does not allow is not believed', async (context) => {
  const { serving, world, keys, issuer } = await house(context)
  const jwks_uri = `${issuer}/keys`
  const good = { keys: [] }
  const cases: readonly (readonly [unknown, unknown, OutboundErrorKind])[] = [
    [{ issuer: 'https://accounts.example.test', jwks_uri }, good, 'badResponse'],
    [{ issuer: `${issuer}/`, jwks_uri }, good, 'badResponse'],
    [{ jwks_uri }, good, 'badResponse'],
    [{ issuer }, good, 'badResponse'],
    [{ issuer, jwks_uri: [jwks_uri] }, good, 'badResponse'],
    [{ issuer, jwks_uri: 'file:///etc/passwd' }, good, 'refusedTarget'],
    [{ issuer, jwks_uri: 'keys' }, good, 'refusedTarget'],
    [{ issuer, jwks_uri: `${issuer}/absent` }, good, 'badResponse'],
    [{ issuer, jwks_uri }, { keys: {} }, 'badResponse'],
    [{ issuer, jwks_uri }, [], 'badResponse'],
    [{ issuer, jwks_uri }, '{"keys":[],"keys":[]}', 'badResponse'],
    [{ issuer, jwks_uri }, `{"keys":["${'a'.repeat(300_000)}"]}`, 'tooLarge'],
    ['<html>', good, 'badResponse'],
    ['[]', good, 'badResponse'],
  ]
  for (const [discovery, keySet, kind] of cases) {
    serving.listener = json({ '/.well-known/openid-configuration': discovery, '/keys': keySet })
    world.advance(MINUTE)
    await assert.rejects(keys.get(issuer), failsAs(kind), JSON.stringify(discovery))
  }
  for (const bent of [`${issuer}?a=b`, `${issuer}#a`])
    await assert.rejects(keys.get(bent), failsAs('refusedTarget'), bent)
})

test('an issuer or its keys on a private address are not asked', async (context) => {
  const { asked, issuer } = await house(context)
  const outbound = openOutbound({ allowPrivate: false })
  context.after(() => outbound.close())
  const keys = openIssuerKeys({ outbound, elapsed: () => 0 })
  for (const local of [
    issuer,
    issuer.replace('http:', 'https:'),
    'https://localhost',
    'https://169.254.169.254',
  ])
    await assert.rejects(keys.get(local), failsAs('refusedTarget'), local)
  assert.equal(asked.length, 0)
})

test('issuers that never answer hold a bounded number of connections, and hold up no known issuer', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  const discovery = { issuer, jwks_uri: `${issuer}/keys` }
  const answering = json({ '/.well-known/openid-configuration': discovery, '/keys': { keys: [] } })
  serving.listener = answering
  await keys.get(issuer)
  asked.length = 0
  serving.listener = () => undefined
  const silent = Array.from({ length: 100 }, (_, n) => keys.get(`${issuer}/${n}`))
  while (asked.length < 64) await new Promise((resolve) => setImmediate(resolve))
  serving.listener = answering
  world.advance(11 * MINUTE)
  await keys.get(issuer)
  assert.equal(asked.length, 64 + 2, 'the others of the hundred wait')
  for (const one of silent) one.catch(() => undefined)
})

test('issuers that have answered once and then are silent hold a bounded number of connections too', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  const paths = Array.from({ length: 100 }, (_, n) => `/${n}`)
  const discovery = (path: string) => ({ issuer: `${issuer}${path}`, jwks_uri: `${issuer}/keys` })
  const documents = [...paths, '/wanted'].map(
    (path) => [`${path}/.well-known/openid-configuration`, discovery(path)] as const,
  )
  serving.listener = json({ ...Object.fromEntries(documents), '/keys': { keys: [] } })
  for (const path of paths) await keys.get(`${issuer}${path}`, { asker: 'hostile' })
  await keys.get(`${issuer}/wanted`, { asker: 'quiet' })
  world.advance(11 * MINUTE)
  asked.length = 0
  const waiting: (() => void)[] = []
  serving.listener = (_request, response) => waiting.push(() => response.writeHead(503).end())
  const silent = paths.map((path) => keys.get(`${issuer}${path}`, { asker: 'hostile' }))
  while (waiting.length < 64) await new Promise((resolve) => setImmediate(resolve))
  const wanted = keys.get(`${issuer}/wanted`, { asker: 'quiet' })
  for (const one of [...silent, wanted]) one.catch(() => undefined)
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(asked.length, 64, 'the others wait')
  waiting.shift()?.()
  const isAsked = () => asked.some((path) => path.startsWith('/wanted'))
  await eventually(isAsked, () => 'the tenants do not take turns')
})

test('a new issuer that has waited too long for others is not asked', async (context) => {
  const { serving, asked, world, keys, issuer } = await house(context)
  const waiting: (() => void)[] = []
  serving.listener = (_request, response) => waiting.push(() => response.writeHead(503).end())
  const silent = Array.from({ length: 65 }, (_, n) => keys.get(`${issuer}/${n}`))
  const failures = silent.map((one) => one.then(String, (error: Error) => error.message))
  while (waiting.length < 64) await new Promise((resolve) => setImmediate(resolve))
  world.advance(6_000)
  for (const end of waiting) end()
  assert.deepEqual(await Promise.all(failures), [
    ...Array(64).fill('the issuer answered 503'),
    'too many other issuers did not answer',
  ])
  assert.equal(asked.length, 64)
})

test('a tenant whose issuers never answer keeps no new issuer of another waiting, and a known one is not asked again', async (context) => {
  const { serving, asked, keys, issuer } = await house(context)
  const discovery = { issuer, jwks_uri: `${issuer}/keys` }
  serving.listener = json({ '/.well-known/openid-configuration': discovery, '/keys': { keys: [] } })
  await keys.get(issuer, { asker: 'quiet' })
  // These fail at once, because they are no issuers.
  for (let n = 0; n < 4_200; n++)
    await keys.get(`${issuer}/?${n}`, { asker: 'hostile' }).catch(() => undefined)
  asked.length = 0
  await keys.get(issuer, { asker: 'quiet' })
  assert.equal(asked.length, 0)

  const waiting: (() => void)[] = []
  serving.listener = (_request, response) => waiting.push(() => response.writeHead(503).end())
  const silent = Array.from({ length: 200 }, (_, n) => keys.get(`${issuer}/${n}`, { asker: 'hostile' }))
  const wanted = keys.get(`${issuer}/wanted`, { asker: 'quiet' })
  for (const one of [...silent, wanted]) one.catch(() => undefined)
  const isAsked = () => asked.some((path) => path.startsWith('/wanted'))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  waiting.shift()?.()
  await eventually(isAsked)
  assert.ok(asked.length <= 66, `${asked.length} are asked`)
})
