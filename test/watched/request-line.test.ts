import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { requestLine, UNKNOWN_ROUTE } from '../../src/host/app/request-line.ts'
import { newestTypes } from '../../src/host/emulator/emulated-user.ts'
import type { AnsweredCall } from '../../src/host/http/server.ts'
import { queries } from '../../src/host/queries/list.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { aService } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'

const calls: AnsweredCall[] = []
const service = await aService({ onAnswered: (call) => calls.push(call) })
after(() => service.close())
const { root, world } = service

type Line = { readonly [name: string]: unknown }

function lines(): readonly Line[] {
  return calls.splice(0).map((call) => JSON.parse(requestLine(call, call.path, world.now())))
}

test('a line says who asked for what, what came of it, and where the time went', async () => {
  lines()
  await service.submit(root, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Savings', accounts: [] })
  await service.query(root, 'list_wallets')
  const [made, listed] = lines()
  assert.deepEqual(
    [
      made?.['operation'],
      made?.['organizationId'],
      made?.['userId'],
      made?.['status'],
      made?.['activityStatus'],
    ],
    ['submit/create_wallet', root.organizationId, root.userId, 200, 'ACTIVITY_STATUS_COMPLETED'],
  )
  assert.deepEqual(
    [listed?.['operation'], listed?.['organizationId'], listed?.['userId'], listed?.['status']],
    ['query/list_wallets', root.organizationId, root.userId, 200],
  )
  assert.notEqual(made?.['id'], listed?.['id'])
  const { ms } = made ?? {}
  const { total, body, vault, commit, outside } = Object(ms)
  assert.ok(body > 0 && vault > 0 && commit > 0 && outside === 0, JSON.stringify(ms))
  assert.ok(total >= body && total >= vault && total >= commit)
  assert.doesNotMatch(JSON.stringify([made, listed]), /Savings/)
})

test('a refusal by policies leads to its record, and an error to its reason', async () => {
  const eve = await service.user('Eve')
  lines()
  const denied = await service.submit(eve, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Mine',
    accounts: [],
  })
  const stranger = { ...eve, key: service.newKey() }
  await service.submit(stranger, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Mine', accounts: [] })
  const [refused, unknown] = lines()
  assert.deepEqual(
    [refused?.['status'], refused?.['userId'], refused?.['activityStatus']],
    [403, eve.userId, 'ACTIVITY_STATUS_FAILED'],
  )
  assert.equal(refused?.['activityId'], denied.json.details[0]?.resourceName ?? refused?.['activityId'])
  const explained = await service.query(root, 'explain_activity', { activityId: refused?.['activityId'] })
  assert.equal(explained.status, 200, explained.text)
  assert.deepEqual(
    [unknown?.['status'], unknown?.['errorCode'], unknown?.['userId']],
    [401, 'PUBLIC_KEY_NOT_FOUND', undefined],
  )
})

const MARK = 'Zq7Zx'

/** The same, once for each text in it that is another. */
function* marked(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    yield `${MARK} "${MARK}`
    yield `${value}${MARK}`
  } else if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value)) yield { ...value, [MARK]: '1' }
    for (const [key, item] of Object.entries(value))
      for (const other of marked(item)) {
        const copy: object = Array.isArray(value) ? [...value] : { ...value }
        yield Object.assign(copy, { [key]: other })
      }
  }
}

test('whatever is sent in whatever field, nothing of it comes into the log', async () => {
  const types = newestTypes(activities)
  for (const { operation, example } of activities)
    for (const parameters of marked(example.intent))
      await sent(`/public/v1/submit/${operation}`, { type: types.get(operation), parameters })
  for (const { operation, example } of queries)
    for (const body of marked(example)) await sent(`/public/v1/query/${operation}`, Object(body))
  // What stands around the parameters, and around the body.
  const request = { type: 'ACTIVITY_TYPE_CREATE_WALLET', parameters: {}, organizationId: root.organizationId }
  for (const body of marked({ ...request, timestampMs: '1' }))
    await sent('/public/v1/submit/create_wallet', Object(body))
  for (const path of [`/${MARK}`, `/public/v1/submit/${MARK}`, `/public/v1/query/whoami?${MARK}`])
    await sent(path, {})
  for (const name of ['x-stamp', 'traceparent', 'x-session', 'content-encoding', 'x-stamp-webauthn'])
    await fetch(`${service.baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      body: '{}',
      headers: { [name]: MARK },
    })
  await fetch(`${service.baseUrl}/public/v1/query/whoami`, { method: 'POST', body: MARK })

  const told = calls.splice(0)
  assert.ok(told.length > 500, String(told.length))
  const known = new Set([...activities, ...queries].map(({ operation }) => operation))
  const telling = told.flatMap((call) => {
    const isKnown = known.has(call.path.split('/').at(-1) ?? '')
    const line = requestLine(call, isKnown ? call.path : UNKNOWN_ROUTE, world.now())
    return line.includes(MARK) ? [line] : []
  })
  assert.deepEqual(telling, [])
})

async function sent(path: string, body: object): Promise<void> {
  world.advance(1)
  const text = JSON.stringify({
    timestampMs: String(world.now()),
    organizationId: root.organizationId,
    ...body,
  })
  const { stampHeaderName, stampHeaderValue } = stampWith(root.key, text)
  await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    body: text,
    headers: { [stampHeaderName]: stampHeaderValue },
  })
}

test('what a stranger chooses around a body ends no line and stands in none', async (t) => {
  const noted: AnsweredCall[] = []
  const proxied = await aService({ onAnswered: (call) => noted.push(call), isTrustedProxy: () => true })
  t.after(() => proxied.close())
  const forged = `${MARK}\\n{"event":"request","status":200}`
  for (const headers of [
    { 'x-forwarded-for': forged },
    { 'x-forwarded-for': `${MARK}, 203.0.113.7` },
    { 'x-forwarded-for': `fe80::1%${MARK}` },
    { forwarded: `for="${MARK}"` },
    { traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01${MARK}` },
    { 'x-request-id': MARK, 'user-agent': MARK, tracestate: MARK, baggage: MARK, cookie: MARK },
  ])
    await fetch(`${proxied.baseUrl}/public/v1/query/whoami`, { method: 'POST', body: '{}', headers })
  for (const organizationId of [forged, `${root.organizationId}${MARK}`, MARK])
    await fetch(`${proxied.baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      body: JSON.stringify({ organizationId }),
      headers: { 'x-stamp': MARK },
    })
  await fetch(`${proxied.baseUrl}/public/v1/submit/${encodeURIComponent(forged)}`, { method: 'POST' })
  assert.equal(noted.length, 10)
  for (const call of noted) {
    const isKnown = call.path === '/public/v1/query/whoami'
    const line = requestLine(call, isKnown ? call.path : UNKNOWN_ROUTE, world.now())
    assert.equal(line.indexOf('\n'), line.length - 1)
    assert.ok(!line.includes(MARK), line)
  }
})
