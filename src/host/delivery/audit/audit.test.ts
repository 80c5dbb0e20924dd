import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { duplexPair } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { schemaProblems } from '../../../../test/contract/schema-problems.ts'
import { aSubOrganization } from '../../../../test/behaviour/things.ts'
import { aService, type TestService, testWorld } from '../../../../test/support/service.ts'
import type { CheckRequest } from '../../../protocol/vault.ts'
import { costs } from '../../../trusted/base/costs.ts'
import { REQUEST_COST_MAX, requestTooCostly } from '../../../trusted/base/work.ts'
import { newestTypes } from '../../emulator/emulated-user.ts'
import { activities } from '../../../trusted/activities/list.ts'
import { emptyUnit } from '../../../trusted/catalogue/unit.ts'
import { serve } from '../../../trusted/vault/serve.ts'
import { vaultLink } from '../../link/vault-link.ts'
import { turnedTimers, until } from '../../outside/testing/timers.ts'
import { AUDIT, AUDIT_ORDERING_KEY } from '../../store/audit-target.ts'
import { WEBHOOK_ENTRY } from '../../store/ordering-keys.ts'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { startDelivery } from '../runner.ts'
import { type AuditEvent, readEvent } from './audit-event.ts'
import { auditedStore, keepAuditEntry, tell } from './audit-outbox.ts'
import type { AuditSink } from './audit-sink.ts'
import { prepareAudit } from './prepare-audit.ts'

const { $schema: _, ...schema } = JSON.parse(
  readFileSync(new URL('../../../../docs/reference/audit-event.schema.json', import.meta.url), 'utf8'),
)

/** The service with a stream whose lines a test keeps, unless it says what else becomes of them. */
async function anAuditedService(t: TestContext, given: { readonly sink?: AuditSink } = {}) {
  const plain = openSqlite({ path: ':memory:' })
  const store = auditedStore(plain)
  const service = await aService({ store })
  const { world } = service
  // Over a socket, as in production: there, each error of the vault arrives as a text.
  const [hostEnd, vaultEnd] = duplexPair()
  serve(service.vault, vaultEnd)
  const { vault, close, ready } = vaultLink(hostEnd)
  // It says nothing of its start.
  ready.catch(() => undefined)
  const told: AuditEvent[] = []
  const sink: AuditSink =
    given.sink ??
    (async (events) => {
      told.push(...events)
    })
  assert.equal(await keepAuditEntry(store, world), 'begun')
  const timers = turnedTimers(world.now)
  const delivery = startDelivery({
    store,
    world,
    timers,
    prepare: async (job) => {
      assert.ok(job.kind === 'webhook' && job.webhook.scope === AUDIT.scope)
      return prepareAudit({ store, vault, sink }, job)
    },
    onEnded: () => {},
    onBug: (bug) => assert.fail(String(bug)),
  })
  t.after(async () => {
    await delivery.stop()
    close()
    await service.close()
    await plain.close()
  })
  const waiting = () => store.jobsOf(AUDIT_ORDERING_KEY, 'waiting', { limit: 1_000 })
  const untilSo = (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    let turns = 0
    return until(async () => {
      if (turns++ % 50 === 0) world.advance(1_000)
      timers.turn()
      return await isSo()
    }, what)
  }
  const settled = () => untilSo(async () => (await waiting()).length === 0, 'everything was told')
  return { service, plain, store, told, waiting, settled, untilSo }
}

const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const tagged = (service: TestService, userTagName: string) =>
  service.done(service.root, TAG, { userTagName, userIds: [] })
const ofSchema = (event: AuditEvent) => schemaProblems({}, schema, event, event.id)

test('every state of every activity, and every refusal, is told once and in order, as the schema has it', async (t) => {
  const { service, told, settled } = await anAuditedService(t)
  const { root } = service
  const ada = await service.user('Ada')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  service.world.advance(1)
  const { json } = await service.submit(ada, TAG, { userTagName: 'Both', userIds: [] })
  const { fingerprint, id } = json.activity
  await service.done(root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const denied = await service.submit(ada, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'W', accounts: [] })
  assert.equal(denied.status, 403)
  const child = await aSubOrganization(service)
  await service.done(child, TAG, { userTagName: 'Theirs', userIds: [] })
  await settled()

  assert.deepEqual(told.flatMap(ofSchema), [])
  assert.equal(new Set(told.map((event) => event.id)).size, told.length)
  const states = told.flatMap((event) => (event.event === 'activity' ? [event] : []))
  assert.deepEqual(
    states
      .filter(({ activityId }) => activityId === id)
      .map(({ status, revision, votes }) => [status, revision, votes.map(({ userId }) => userId)]),
    [
      ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1, [ada.userId]],
      ['ACTIVITY_STATUS_COMPLETED', 2, [ada.userId, root.userId]],
    ],
  )
  const refusal = states.find(({ status }) => status === 'ACTIVITY_STATUS_FAILED')
  assert.deepEqual([refusal?.type, refusal?.code], ['ACTIVITY_TYPE_CREATE_WALLET', 7])
  assert.equal(states.at(-1)?.organizationId, child.organizationId)
})

test('nothing of what anybody sends stands in a line, names with line ends included', async (t) => {
  const { service, told, settled } = await anAuditedService(t)
  const types = newestTypes(activities)
  // A user without any right leaves a refusal.
  const ada = await service.user('Zq7Zx')
  const injected = { userTagName: 'Zq7Zx\n{"event":"gap"}', userIds: [] }
  assert.equal((await service.submit(service.root, TAG, injected)).status, 400)
  await tagged(service, 'Zq7Zx"}\u2028{"event":"gap"}')
  for (const { operation, example } of activities) {
    service.world.advance(1)
    const text = JSON.stringify(example.intent).replaceAll(/"(\w*[nN]ame|notes)":"/g, '"$1":"Zq7Zx')
    const type = types.get(operation) ?? ''
    await service.submit(ada, type, JSON.parse(text), { operation }).catch(() => undefined)
  }
  await settled()
  assert.ok(told.length > 30, String(told.length))
  assert.deepEqual(told.flatMap(ofSchema), [])
  assert.doesNotMatch(JSON.stringify(told), /Zq7Zx/)
})

test('while the receiver fails nothing is lost and signing goes on, and afterwards repeats have the same ids', async (t) => {
  const told: string[] = []
  const taken: string[] = []
  let isDown = true
  const sink: AuditSink = async (events) => {
    told.push(...events.map(({ id }) => id))
    // It keeps half of them, and says that it has failed.
    if (isDown) {
      taken.push(...events.slice(0, events.length / 2).map(({ id }) => id))
      throw new Error('the receiver is out of order')
    }
    taken.push(...events.map(({ id }) => id))
  }
  const { service, waiting, settled, untilSo } = await anAuditedService(t, { sink })
  for (let n = 0; n < 50; n++) {
    service.world.advance(1)
    const answer = await service.submit(service.root, TAG, { userTagName: `Tag ${n}`, userIds: [] })
    assert.equal(answer.status, 200)
  }
  // Longer than any webhook is kept.
  await untilSo(async () => told.length > 0, 'it was tried')
  service.world.advance(3 * 24 * 60 * 60 * 1000)
  const before = told.length
  await untilSo(() => told.length > before, 'it was tried again')
  assert.equal((await waiting()).length, 50)
  isDown = false
  await settled()
  const once = [...new Set(taken)]
  assert.equal(once.length, 50)
  assert.deepEqual(taken.slice(-50).toSorted(), once.toSorted())
})

test('a receiver that hangs holds up nobody, and is asked by one attempt at a time', async (t) => {
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const { service, untilSo, settled } = await anAuditedService(t, {
    sink: async () => {
      asked += 1
      await promise
    },
  })
  await tagged(service, 'One')
  await untilSo(() => asked === 1, 'it is asked')
  for (let n = 0; n < 20; n++) await tagged(service, `Tag ${n}`)
  assert.equal(asked, 1)
  resolve()
  await settled()
})

test('of a record that was altered or is gone it is told that it cannot be read, and the others are told', async (t) => {
  const { service, store, told, settled } = await anAuditedService(t)
  await tagged(service, 'One')
  const [row] = await store.activities(service.organizationId, {}, { limit: 1 })
  const read = store.activity
  t.mock.method(store, 'activity', async (organizationId: string, activityId: string) => {
    const found = await read(organizationId, activityId)
    return found?.activityId === row?.activityId && found !== undefined
      ? { ...found, type: 'ACTIVITY_TYPE_DELETE_USERS' }
      : found
  })
  await store.addWebhooks(
    [{ ...AUDIT, organizationId: service.organizationId, activityId: 'gone', revision: 1 }],
    service.world.now(),
  )
  await tagged(service, 'Two')
  await settled()
  assert.deepEqual(
    told.map(({ event }) => event),
    ['unreadable', 'unreadable', 'activity'],
  )
  assert.deepEqual(told.flatMap(ofSchema), [])
})

test('many large records are told, although the vault cannot verify all of them in one call', async (t) => {
  let isDown = true
  const told: string[] = []
  const sink: AuditSink = async (events) => {
    if (isDown) throw new Error('the receiver is out of order')
    told.push(...events.map(({ event }) => event))
  }
  const { service, store, settled } = await anAuditedService(t, { sink })
  for (let n = 0; n < 99; n++) await tagged(service, `Tag ${n}`)
  // The size of a record of 100 policies with long notes.
  const intent = 'x'.repeat(2_476_687)
  const read = store.activity
  t.mock.method(store, 'activity', async (organizationId: string, activityId: string) => {
    const row = await read(organizationId, activityId)
    return row === undefined ? undefined : { ...row, intent }
  })
  let refused = 0
  // The rows are not as they were sealed, so the test only counts as the vault does.
  t.mock.method(service.vault, 'check', async ({ activities: rows }: CheckRequest) => {
    const cost = Math.ceil(rows.length * intent.length * costs.rowCharacter)
    if (cost > REQUEST_COST_MAX) refused += 1
    if (cost > REQUEST_COST_MAX) throw requestTooCostly({ max: REQUEST_COST_MAX })
    return { kind: 'checked', cost } as const
  })
  isDown = false
  await settled()
  assert.deepEqual([told.length, new Set(told), refused], [99, new Set(['activity']), 0])
})

test('a record that the vault cannot verify with others is verified alone', async (t) => {
  const { service, told, settled } = await anAuditedService(t)
  const { check } = service.vault
  t.mock.method(service.vault, 'check', async (request: CheckRequest) => {
    if (request.activities.length > 1) throw requestTooCostly({ max: REQUEST_COST_MAX })
    return await check(request)
  })
  for (let n = 0; n < 5; n++) await tagged(service, `Tag ${n}`)
  await settled()
  assert.deepEqual(
    told.map(({ event }) => event),
    Array.from({ length: 5 }, () => 'activity'),
  )
})

test('who writes made-up events into the outbox gets none but those this service could have written', async (t) => {
  const { service, store, told, settled } = await anAuditedService(t)
  const { world, organizationId, root } = service
  const read = readEvent({
    id: '0198c5a0-7d3c-7000-8000-000000000001',
    at: world.now(),
    organizationId,
    operation: 'list_users',
    userId: root.userId,
  })
  const made = [
    '{',
    '{"event":"x"}',
    JSON.stringify({ ...read, operation: 'x\ny' }),
    JSON.stringify({ ...read, userId: 'Eve' }),
  ]
  for (const activityId of [...made, JSON.stringify({ ...read, more: 'text' })])
    await store.addWebhooks([{ ...AUDIT, organizationId, activityId, revision: 0 }], world.now())
  // Made at no time that a date can have.
  await store.addWebhooks([{ ...AUDIT, organizationId, activityId: '{', revision: 0 }], 9e15)
  await tell(store, read, world)
  await settled()
  assert.deepEqual(
    told.map(({ event }) => event),
    ['unreadable', 'unreadable', 'unreadable', 'unreadable', 'read', 'unreadable', 'read'],
  )
  assert.deepEqual(told.at(-1), read)
  assert.deepEqual(told.flatMap(ofSchema), [])
})

test('where the entry by which the store tells the stream is taken away, that is told as a gap', async (t) => {
  const { service, store, plain, told, settled } = await anAuditedService(t)
  await tagged(service, 'One')
  assert.equal(await keepAuditEntry(store, service.world), 'kept')
  const entry = { scope: AUDIT.scope, kind: 'WEBHOOK', value: '', target: AUDIT.target }
  await plain.commit({ ...emptyUnit, directory: { put: [], remove: [entry] } })
  await tagged(service, 'Not told')
  assert.equal(await keepAuditEntry(store, service.world), 'gap')
  await tagged(service, 'Three')
  await settled()
  assert.deepEqual(
    told.map(({ event }) => event),
    ['activity', 'gap', 'activity'],
  )
  assert.deepEqual(told.flatMap(ofSchema), [])
})

test('a gap is told also where the host that began the stream was killed before it could note that', async (t) => {
  const { store, world } = anEmptyStore(t)
  const killed = { ...store, noteOnce: () => Promise.reject(new Error('killed')) }
  await assert.rejects(keepAuditEntry(killed, world), /killed/)
  assert.equal(await keepAuditEntry(store, world), 'kept')
  await store.commit({ ...emptyUnit, directory: { put: [], remove: [AUDIT_ENTRY] } })
  assert.equal(await keepAuditEntry(store, world), 'gap')
})

test('of two hosts that begin the stream at once none tells a gap', async (t) => {
  const { store, world } = anEmptyStore(t)
  let other: Promise<unknown> | undefined
  const find: Store['find'] = async (...of) => {
    const found = await store.find(...of)
    await (other ??= keepAuditEntry(store, world))
    return found
  }
  assert.equal(await keepAuditEntry({ ...store, find }, world), 'kept')
  assert.deepEqual(await store.jobsOf(AUDIT_ORDERING_KEY, 'waiting', { limit: 1 }), [])
})

const AUDIT_ENTRY = { scope: AUDIT.scope, ...WEBHOOK_ENTRY, target: AUDIT.target }

function anEmptyStore(t: TestContext) {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  return { store, world: testWorld() }
}
