import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { present } from '../../base/assert.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import { RECOVERY_ATTEMPTS } from '../../vault/authentication/directory-entries.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Store } from '../../../host/store/store.ts'
import { sentMessages } from '../../../../test/support/messages.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import {
  aComer,
  aSet,
  ATTEMPT,
  attemptOf,
  begin,
  complete,
  heartbeatsOf,
  HOUR,
  passHours,
  RECOVERY,
  REMOVE,
  SET,
  underWay,
} from './testing/recovery.ts'

async function started(t: TestContext): Promise<TestService> {
  const service = await aService()
  t.after(service.close)
  return service
}

async function refused(service: TestService, by: Member, type: string, parameters: object) {
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  assert.notEqual(status, 200, JSON.stringify(json))
  return { status, message: String(json.message), code: json.turnkeyErrorCode }
}

/** Root users with addresses, any two of whom are the root quorum. */
async function twoRoots(service: TestService): Promise<readonly [Member, Member]> {
  const { root } = service
  const grace = await service.user('Grace')
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER', { userId: root.userId, userEmail: 'ada@example.com' })
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER', {
    userId: grace.userId,
    userEmail: 'grace@example.com',
  })
  const userIds = [root.userId, grace.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  return [root, grace]
}

/** Both agree. */
async function together(service: TestService, [ada, grace]: readonly [Member, Member], parameters: object) {
  service.world.advance(1)
  const { json } = await service.submit(ada, SET, parameters)
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await service.done(grace, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: json.activity.fingerprint })
}

/** A writer of the database puts a charter of before in its place, with the entry that leads to it. */
function putCharterBack(path: string, { organizationId, version, body, seal }: CharterRow): void {
  const db = new DatabaseSync(path)
  db.prepare('UPDATE charters SET version = ?, body = ?, seal = ? WHERE organization_id = ?').run(
    version,
    body,
    seal,
    organizationId,
  )
  const { scope, kind, value } = RECOVERY_ATTEMPTS
  db.prepare('INSERT OR IGNORE INTO directory VALUES (?, ?, ?, ?)').run(scope, kind, value, organizationId)
  db.close()
}

test('k people add root users after a delay, of which every root user is told on each day', async (t) => {
  const service = await started(t)
  const roots = await twoRoots(service)
  const set = aSet(service)
  await together(service, roots, set.parameters)
  await sentMessages(service)
  const [hedy, lise] = [aComer(service, 'Hedy'), aComer(service, 'Lise')]

  await service.done(set.member, SET, begin(hedy.user, lise.user))

  const { attemptId, heartbeats } = await attemptOf(service, roots[1])
  assert.equal(heartbeats, 0)
  const told = async () => {
    const mails = (await sentMessages(service)).flatMap((message) =>
      message.channel === 'email' && message.organizationRecovery !== undefined
        ? [{ to: message.to, ...message.organizationRecovery }]
        : [],
    )
    assert.ok(mails.every((mail) => mail.attemptId === attemptId && mail.userNames.join() === 'Hedy,Lise'))
    return mails.map(({ to, state, hoursLeft }) => `${to} ${state} ${hoursLeft}`).toSorted()
  }
  assert.deepEqual(await told(), ['ada@example.com begun 72', 'grace@example.com begun 72'])
  for (const left of [48, 24, 0]) {
    const early = await refused(service, set.member, SET, complete(attemptId))
    assert.match(early.message, new RegExp(`cannot be completed yet: ${left + 24} hours`))
    await passHours(service, 24)
    assert.deepEqual(await told(), [`ada@example.com goesOn ${left}`, `grace@example.com goesOn ${left}`])
  }
  const stranger = await service.query(hedy.member, 'whoami')
  assert.equal(stranger.json.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')

  await service.done(set.member, SET, complete(attemptId))

  assert.deepEqual(await told(), ['ada@example.com completed 0', 'grace@example.com completed 0'])
  // The threshold is what it was: two of the four.
  const { json } = await service.query(hedy.member, 'get_organization_configs')
  const { threshold, userIds } = json.configs.quorum
  assert.deepEqual([threshold, userIds.length, json.configs.serviceFeatures], [2, 4, undefined])
  await together(service, [hedy.member, lise.member], { name: 'FEATURE_NAME_SMS_AUTH' })
  // The set has ended with it.
  for (const parameters of [complete(attemptId), begin(hedy.user)])
    assert.equal((await refused(service, set.member, SET, parameters)).code, 'PUBLIC_KEY_NOT_FOUND')
})

test('k people with the host hold the mails back until it is over: they complete an attempt of which nobody was told', async (t) => {
  const service = await started(t)
  const roots = await twoRoots(service)
  const set = aSet(service)
  await together(service, roots, set.parameters)
  const comer = aComer(service)
  await service.done(set.member, SET, begin(comer.user))
  const { attemptId } = await attemptOf(service, roots[0])

  // During the whole delay, no host takes a message from the queue.
  await passHours(service, 72)
  await service.done(set.member, SET, complete(attemptId))

  assert.equal((await service.query(comer.member, 'whoami')).json.username, 'Hedy')
  // The vault has sealed a mail to each root user for each day, and an honest host sends them.
  const late = (await sentMessages(service)).flatMap((mail) =>
    mail.channel === 'email' && mail.organizationRecovery !== undefined
      ? [`${mail.to} ${mail.organizationRecovery.state}`]
      : [],
  )
  for (const to of ['ada@example.com', 'grace@example.com'])
    assert.deepEqual(
      late.filter((mail) => mail.startsWith(to)),
      ['begun', 'goesOn', 'goesOn', 'goesOn', 'completed'].map((state) => `${to} ${state}`),
    )
})

test('without the consent of the root quorum there is no set, and nobody but its key begins an attempt', async (t) => {
  const service = await started(t)
  const outsider = await service.user('Mallory')
  const allowed = { effect: 'EFFECT_ALLOW', condition: 'true', notes: '' }
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', { policyName: 'All', ...allowed })
  const roots = await twoRoots(service)
  const set = aSet(service)
  const comer = aComer(service)
  const unknown = await refused(service, set.member, SET, begin(comer.user))
  assert.equal(unknown.code, 'PUBLIC_KEY_NOT_FOUND')
  assert.equal((await refused(service, outsider, SET, set.parameters)).status, 403)
  service.world.advance(1)
  const { json } = await service.submit(roots[0], SET, set.parameters)
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal((await refused(service, set.member, SET, begin(comer.user))).code, 'PUBLIC_KEY_NOT_FOUND')
  await service.done(roots[1], 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: json.activity.fingerprint })

  // Not even the root quorum: an attempt that a root user begins would be one that needs no shares.
  for (const by of [...roots, outsider])
    assert.equal((await refused(service, by, SET, begin(comer.user))).status, 403)
  assert.equal(await attemptOf(service, roots[0]), undefined)
  assert.equal((await refused(service, outsider, REMOVE, { name: RECOVERY })).status, 403)
})

test('the key of a set does nothing but begin and complete: no query, no vote, no other request', async (t) => {
  const service = await started(t)
  const { set } = await underWay(service)
  const grace = await service.user('Grace')
  const userIds = [service.root.userId, grace.userId]
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  service.world.advance(1)
  const tag = { userTagName: 'Tag', userIds: [] }
  const { json } = await service.submit(grace, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const { fingerprint, id } = json.activity
  for (const [type, parameters] of [
    [SET, set.parameters],
    [SET, { name: 'FEATURE_NAME_SMS_AUTH' }],
    [REMOVE, { name: ATTEMPT }],
    [REMOVE, { name: RECOVERY }],
    ['ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }],
    ['ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }],
    ['ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [grace.userId] }],
    ['ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: service.newKey().publicKey }],
    ['ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {}],
    ['ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'W', accounts: [] }],
  ] as const) {
    const { status, message } = await refused(service, set.member, type, parameters)
    assert.deepEqual([status, /key of a recovery set may only/.test(message)], [403, true], type)
  }
  for (const operation of ['whoami', 'list_users', 'get_organization_configs', 'try_activity'])
    assert.equal((await service.query(set.member, operation)).status >= 400, true, operation)
  // Nor are the bytes of somebody else's request approved with it.
  const copied = await service.submit(set.member, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  assert.equal(copied.status, 403)
  const { json: still } = await service.query(grace, 'get_activity', { activityId: id })
  assert.equal(still.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
})

test('any one root user stops an attempt, and with it the set: the same shares begin no other', async (t) => {
  const service = await started(t)
  const member = await service.user('Mallory')
  const roots = await twoRoots(service)
  const set = aSet(service)
  await together(service, roots, set.parameters)
  const comer = aComer(service)
  service.world.advance(1)
  const timestampMs = service.world.now()
  const begun = await service.submit(set.member, SET, begin(comer.user), { timestampMs })
  assert.equal(begun.status, 200)
  const again = await refused(service, set.member, SET, begin(aComer(service, 'Lise').user))
  assert.match(again.message, /is already under way, attempt .* must stop it before another one can begin/)
  await passHours(service, 1)
  const { attemptId } = await attemptOf(service, roots[0])
  const before = await service.store.charter(service.organizationId)
  assert.equal((await refused(service, member, REMOVE, { name: ATTEMPT })).status, 403)

  await sentMessages(service)
  await service.done(roots[1], REMOVE, { name: ATTEMPT })

  const mails = await sentMessages(service)
  assert.deepEqual(
    mails.map((mail) => mail.channel === 'email' && mail.organizationRecovery?.state),
    ['stopped', 'stopped'],
  )
  assert.equal(await attemptOf(service, roots[0]), undefined)
  for (const parameters of [begin(comer.user), complete(attemptId)])
    assert.equal((await refused(service, set.member, SET, parameters)).code, 'PUBLIC_KEY_NOT_FOUND')
  // The very bytes of before are no new attempt either.
  const replayed = await service.submit(set.member, SET, begin(comer.user), { timestampMs })
  assert.equal(replayed.json.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')
  // Nor does a charter of before, which somebody shows to a vault that knows better.
  assert.ok(before)
  const answer = await service.vault.heartbeat({ charter: before })
  assert.equal(answer.kind, 'outdated')
  // A stop without an attempt leaves the next set alone: that is the root quorum's.
  const next = aSet(service)
  await together(service, roots, next.parameters)
  await service.done(roots[1], REMOVE, { name: ATTEMPT })
  const { json } = await service.query(roots[0], 'get_organization_configs')
  assert.deepEqual(json.configs.serviceFeatures, [next.parameters])
})

test('a database that puts the charter of before a stop back, beside the running vault, revives nothing', async (t) => {
  const sqlite = openSqlite({ path: ':memory:' })
  let putBack: CharterRow | undefined
  const charter: Store['charter'] = async (id) =>
    putBack?.organizationId === id ? putBack : await sqlite.charter(id)
  const charters: Store['charters'] = async (ids) =>
    (await Promise.all(ids.map(charter))).flatMap((row) => row ?? [])
  const service = await aService({ store: { ...sqlite, charter, charters } })
  t.after(async () => {
    await service.close()
    await sqlite.close()
  })
  const { set, comer, attemptId } = await underWay(service)
  await passHours(service, 72)
  const before = await sqlite.charter(service.organizationId)
  await service.done(service.root, REMOVE, { name: ATTEMPT })
  putBack = before
  service.world.advance(1)
  for (const parameters of [complete(attemptId), begin(comer.user)])
    await assert.rejects(service.submit(set.member, SET, parameters), /the service met a bug/)
  assert.deepEqual(await heartbeatsOf(service).look(), [])
  putBack = undefined
  assert.equal(await attemptOf(service, service.root), undefined)
})

test('k people with the database undo a stop across a restart, and root users are told and have half a day to stop it again', async (t) => {
  const path = join(mkdtempSync(join(tmpdir(), 'claviger-recovery-')), 'data.db')
  let store = openSqlite({ path })
  const service = await aService({ store })
  let running = service
  const stop = async () => {
    await running.close()
    await store.close()
  }
  t.after(async () => {
    await stop()
    rmSync(dirname(path), { recursive: true })
  })
  const roots = await twoRoots(service)
  const set = aSet(service)
  await together(service, roots, set.parameters)
  const comer = aComer(service)
  await service.done(set.member, SET, begin(comer.user))
  const { attemptId } = await attemptOf(service, roots[0])
  await passHours(service, 80)
  const before = present(await store.charter(service.organizationId), 'the charter of before the stop')
  await service.done(roots[1], REMOVE, { name: ATTEMPT })
  await sentMessages(service)
  // The row of before is put in its place; then host and vault start anew.
  const undone = async (seed: number) => {
    await stop()
    putCharterBack(path, before)
    store = openSqlite({ path })
    const other = await aService({ store, seed })
    other.world.setClock(service.world.now() + seed * HOUR)
    running = other
    return other
  }
  const asked = async (by: TestService, parameters: object) => {
    by.world.advance(1)
    return await by.submit(set.member, SET, parameters)
  }
  const states = async (by: TestService) =>
    (await sentMessages(by)).map((mail) =>
      mail.channel === 'email' ? `${mail.to} ${mail.organizationRecovery?.state}` : '',
    )

  const restarted = await undone(2)
  const early = await asked(restarted, complete(attemptId))
  assert.equal(early.status, 400)
  assert.match(early.json.message, /this service was started anew, and waits 12 hours more/)
  await passHours(restarted, 1)
  assert.deepEqual((await states(restarted)).toSorted(), [
    'ada@example.com goesOn',
    'grace@example.com goesOn',
  ])
  await passHours(restarted, 10)
  assert.match((await asked(restarted, complete(attemptId))).json.message, /waits 1 hours more/)
  await restarted.done(roots[0], REMOVE, { name: ATTEMPT })
  assert.equal((await asked(restarted, complete(attemptId))).json.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')

  // Where nobody stops it once more, it is what SECURITY.md says: the hours of before count, and new root users come.
  const again = await undone(3)
  await passHours(again, 12)
  const { status, text } = await asked(again, complete(attemptId))
  assert.equal(status, 200, text)
  assert.equal((await again.query(comer.member, 'whoami')).json.username, 'Hedy')
})

test('the vault of another host that was kept from seeing a stop completes at once, as the page says', async (t) => {
  const path = join(mkdtempSync(join(tmpdir(), 'claviger-recovery-')), 'data.db')
  let current = openSqlite({ path })
  // The file is somebody else's for a moment, beside two hosts that run.
  const store = new Proxy(current, { get: (_, name: keyof Store) => current[name] })
  const service = await aService({ store })
  const other = await aService({ store, seed: 2 })
  t.after(async () => {
    await Promise.all([service.close(), other.close()])
    await current.close()
    rmSync(dirname(path), { recursive: true })
  })
  const { set, comer, attemptId } = await underWay(service)
  const looks = [heartbeatsOf(service), heartbeatsOf(other)]
  for (let hour = 0; hour <= 72; hour++) {
    for (const heartbeats of [...looks, ...looks]) await heartbeats.look()
    for (const { world } of [service, other]) world.advance(HOUR)
  }
  const before = present(await current.charter(service.organizationId), 'the charter of before the stop')
  await service.done(service.root, REMOVE, { name: ATTEMPT })
  await current.close()
  putCharterBack(path, before)
  current = openSqlite({ path })

  await assert.rejects(service.submit(set.member, SET, complete(attemptId)), /the service met a bug/)
  other.world.setClock(service.world.now() + 1)
  const { status, text } = await other.submit(set.member, SET, complete(attemptId))

  assert.equal(status, 200, text)
  assert.equal((await other.query(comer.member, 'whoami')).json.username, 'Hedy')
  await assert.rejects(service.query(service.root, 'whoami'), /the service met a bug/)
})

test('hours that a database shows to a vault that was started anew, one charter after the other, are not hours that it has seen', async (t) => {
  const path = join(mkdtempSync(join(tmpdir(), 'claviger-recovery-')), 'data.db')
  t.after(() => rmSync(dirname(path), { recursive: true }))
  const store = openSqlite({ path })
  const service = await aService({ store })
  const roots = await twoRoots(service)
  const set = aSet(service)
  await together(service, roots, set.parameters)
  await service.done(set.member, SET, begin(aComer(service).user))
  const { attemptId } = await attemptOf(service, roots[0])
  const charters: CharterRow[] = []
  const heartbeats = heartbeatsOf(service)
  for (let hour = 0; hour < 80; hour++) {
    await passHours(service, 1, heartbeats)
    charters.push(present(await store.charter(service.organizationId), 'a charter'))
  }
  await service.done(roots[1], REMOVE, { name: ATTEMPT })
  await sentMessages(service)
  await service.close()
  await store.close()

  // Of the charters of before the stop the database shows an older one first, and then the newest.
  putCharterBack(path, present(charters.at(-1), 'the newest'))
  const sqlite = openSqlite({ path })
  let shown: CharterRow | undefined
  const charter: Store['charter'] = async (id) =>
    shown?.organizationId === id ? shown : await sqlite.charter(id)
  const restarted = await aService({ store: { ...sqlite, charter }, seed: 2 })
  t.after(async () => {
    await restarted.close()
    await sqlite.close()
  })
  restarted.world.setClock(service.world.now() + HOUR)
  const looked = heartbeatsOf(restarted)
  const completion = async () => {
    restarted.world.advance(1)
    const { json } = await restarted.submit(set.member, SET, complete(attemptId))
    return json.message ?? json.activity.status
  }
  shown = charters[40]
  await looked.look()
  shown = undefined
  assert.match(await completion(), /started anew, and waits 12 hours more/)
  await heartbeatsOf(restarted).look()
  assert.match(await completion(), /started anew, and waits 12 hours more/)
  await passHours(restarted, 1)
  const mails = await sentMessages(restarted)
  assert.deepEqual(
    mails.map((mail) => mail.channel === 'email' && mail.organizationRecovery?.state),
    ['goesOn', 'goesOn'],
  )
  await passHours(restarted, 10)
  assert.match(await completion(), /waits 1 hours more/)
  await restarted.done(roots[0], REMOVE, { name: ATTEMPT })
})

test('a clock that is set adds nothing to a delay, and an hour that nobody has shown is not counted', async (t) => {
  const service = await started(t)
  const { world, root } = service
  const { set, attemptId } = await underWay(service)
  const heartbeats = heartbeatsOf(service)
  const counted = async () => (await attemptOf(service, root)).heartbeats
  await heartbeats.look()
  world.setClock(world.now() + 1_000 * HOUR)
  await heartbeatsOf(service).look()
  assert.equal(await counted(), 0)
  assert.match((await refused(service, set.member, SET, complete(attemptId))).message, /72 hours/)
  // A request of the test takes a millisecond.
  world.advance(HOUR - 2)
  await heartbeatsOf(service).look()
  assert.equal(await counted(), 0)
  world.advance(1)
  await heartbeatsOf(service).look()
  assert.equal(await counted(), 1)
  // However long nobody looked: one hour is counted, and the next begins when it is shown.
  world.advance(100 * HOUR)
  for (let look = 0; look < 5; look++) await heartbeatsOf(service).look()
  assert.equal(await counted(), 1)
  world.setClock(world.now() - 2_000 * HOUR)
  world.advance(HOUR)
  await heartbeatsOf(service).look()
  assert.equal(await counted(), 2)
})

test('a vault tells for how long an hour still runs, so that its host shows the charter in time', async (t) => {
  const service = await started(t)
  await underWay(service)
  const charter = present(await service.store.charter(service.organizationId), 'the charter')
  const waits = async (): Promise<number | undefined> => {
    const answer = await service.vault.heartbeat({ charter })
    return answer.kind === 'waits' ? answer.forMs : undefined
  }
  assert.equal(await waits(), HOUR)
  service.world.advance(HOUR / 4)
  assert.equal(await waits(), (HOUR * 3) / 4)
  service.world.advance((HOUR * 3) / 4)
  assert.equal((await service.vault.heartbeat({ charter })).kind, 'counted')
  // The hour is being written: the charter that follows is to be shown at once.
  assert.equal(await waits(), 0)
})

test('two vaults together are no faster than one, and a restart loses what has passed of an hour', async (t) => {
  const service = await started(t)
  const { world, root, store } = service
  await underWay(service)
  const other = await aService({ store, seed: 2 })
  t.after(other.close)
  const vaults = [service.vault, other.vault]
  const pass = (ms: number): void => {
    world.advance(ms)
    other.world.advance(ms)
  }
  const look = async (): Promise<void> => {
    for (const vault of vaults) await heartbeatsOf({ store, vault, world }).look()
  }
  const counted = async () => (await attemptOf(service, root)).heartbeats
  await look()
  for (let quarter = 0; quarter < 4 * 6; quarter++) {
    pass(HOUR / 4)
    await look()
    await look()
  }
  assert.equal(await counted(), 6)
  pass(HOUR / 2)
  const restarted = await aService({ store, seed: 3 })
  t.after(restarted.close)
  const alone = heartbeatsOf({ store, vault: restarted.vault, world: restarted.world })
  await alone.look()
  restarted.world.advance(HOUR - 1)
  await alone.look()
  assert.equal(await counted(), 6)
})

test('heartbeats of one attempt or organization count for no other', async (t) => {
  const service = await started(t)
  const { set, attemptId } = await underWay(service)
  const other = service.of(await service.newOrganization())
  const theirs = await underWay(other)
  await passHours(service, 72)
  for (const [by, id] of [
    [set.member, theirs.attemptId],
    [theirs.set.member, attemptId],
  ] as const)
    assert.match((await refused(service, by, SET, complete(id))).message, /is not under way/)
  const foreign: Member = { ...theirs.set.member, organizationId: service.organizationId }
  assert.equal((await refused(service, foreign, SET, complete(attemptId))).code, 'PUBLIC_KEY_NOT_FOUND')
  // The hours of an attempt that has ended are not those of the next.
  await service.done(service.root, REMOVE, { name: ATTEMPT })
  const next = await underWay(service)
  assert.match(
    (await refused(service, next.set.member, SET, complete(attemptId))).message,
    /is not under way/,
  )
  assert.match((await refused(service, next.set.member, SET, complete(next.attemptId))).message, /72 hours/)
})

test('an organization whose charter cannot be shown holds up no other', async (t) => {
  const service = await started(t)
  const { store, vault, world } = service
  const other = service.of(await service.newOrganization())
  await underWay(service)
  await underWay(other)
  const charter: Store['charter'] = async (id) => {
    if (id === service.organizationId) throw new Error('no such row')
    return await store.charter(id)
  }
  const troubles: unknown[] = []
  const heartbeats = heartbeatsOf({ store: { ...store, charter }, vault, world }, (trouble) =>
    troubles.push(trouble),
  )
  await heartbeats.look()
  world.advance(HOUR)
  assert.deepEqual(await heartbeats.look(), [other.organizationId])
  assert.equal(troubles.length, 2)
})

test('names and keys of those who come are kept for them, and a member cannot take them meanwhile', async (t) => {
  const service = await started(t)
  const { set, comer, attemptId } = await underWay(service)
  const { root } = service
  const mallory = await service.user('Mallory')
  const user = { authenticators: [], oauthProviders: [], userTags: [] }
  const curveType = 'API_KEY_CURVE_P256'
  for (const [type, parameters] of [
    ['ACTIVITY_TYPE_UPDATE_USER_NAME', { userId: mallory.userId, userName: 'Hedy' }],
    [
      'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
      {
        userId: mallory.userId,
        apiKeys: [{ apiKeyName: 'Taken', publicKey: comer.user.publicKey, curveType }],
      },
    ],
    [
      'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
      {
        userId: mallory.userId,
        apiKeys: [{ apiKeyName: 'Taken', publicKey: set.member.key.publicKey, curveType }],
      },
    ],
  ] as const)
    assert.match((await refused(service, root, type, parameters)).message, /must be unique/)
  const users = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...user,
      userName: `User ${index}`,
      apiKeys: [{ apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType }],
    }))
  const full = await refused(service, root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: users(98) })
  assert.match(full.message, /maximum users/)
  await service.done(root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: users(97) })
  await passHours(service, 72)
  await service.done(set.member, SET, complete(attemptId))
  assert.equal((await service.query(comer.member, 'whoami')).json.username, 'Hedy')
})

test('the key of a set, and of who comes by it, is not imported as a private key that members may sign with', async (t) => {
  const service = await started(t)
  const { set, comer } = await underWay(service)
  const { root } = service
  const { organizationId, userId } = root
  const { importBundle } = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
  for (const { key } of [set.member, comer.member]) {
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey: Buffer.from(key.privateKey).toString('hex'),
      keyFormat: 'HEXADECIMAL',
      importBundle,
      userId,
      organizationId,
      dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
    })
    const wanted = {
      userId,
      privateKeyName: 'Mine',
      encryptedBundle,
      curve: 'CURVE_P256',
      addressFormats: [],
    }
    const { message } = await refused(service, root, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', wanted)
    assert.ok(message.startsWith(`invalid key: ${key.publicKey} is an API key of a user`), message)
  }
})

test('keys that users have or the organization holds make no set, and become no root users', async (t) => {
  const service = await started(t)
  const { root } = service
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ privateKeyName: 'Held', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
  })
  const { json } = await service.query(root, 'get_private_key', { privateKeyId: privateKeys[0].privateKeyId })
  const held: string = json.privateKey.publicKey
  const valueOf = (publicKey: string) =>
    JSON.stringify({ publicKey, threshold: 2, shares: 3, delayHours: 72 })
  const byHolder = await refused(service, root, SET, { name: RECOVERY, value: valueOf(held) })
  assert.match(byHolder.message, /is the key of a private key or wallet account/)
  const byUser = await refused(service, root, SET, { name: RECOVERY, value: valueOf(root.key.publicKey) })
  assert.match(byUser.message, /must be unique/)
  const set = aSet(service)
  await service.done(root, SET, set.parameters)
  for (const [publicKey, problem] of [
    [held, /is the key of a private key/],
    [root.key.publicKey, /must be unique/],
    [set.member.key.publicKey, /must be unique/],
  ] as const)
    assert.match(
      (await refused(service, set.member, SET, begin({ userName: 'Hedy', publicKey }))).message,
      problem,
    )
  const comer = aComer(service)
  const twice = begin(comer.user, comer.user)
  assert.match((await refused(service, set.member, SET, twice)).message, /must be unique/)
  const taken = begin({ ...comer.user, userName: 'Root' })
  assert.match((await refused(service, set.member, SET, taken)).message, /must be unique/)
  assert.equal(await attemptOf(service, root), undefined)
})

test('a value that says too little, too much or nothing is refused, and nothing changes', async (t) => {
  const service = await started(t)
  const { root } = service
  const set = aSet(service)
  const good = JSON.parse(set.parameters.value)
  for (const bad of [
    {},
    { ...good, delayHours: 71 },
    { ...good, delayHours: 721 },
    { ...good, threshold: 1 },
    { ...good, threshold: 4 },
    { ...good, shares: 17 },
    { ...good, publicKey: `02${'f'.repeat(64)}` },
    { ...good, publicKey: good.publicKey.toUpperCase() },
    { ...good, more: 1 },
  ]) {
    const { message } = await refused(service, root, SET, { name: RECOVERY, value: JSON.stringify(bad) })
    assert.match(message, /^invalid value of feature FEATURE_NAME_ORGANIZATION_RECOVERY: it/)
  }
  await refused(service, root, SET, { name: RECOVERY, value: '' })
  await service.done(root, SET, set.parameters)
  const { user } = aComer(service)
  for (const value of [
    'now',
    '{}',
    JSON.stringify({ users: [] }),
    JSON.stringify({ users: [{ ...user, userName: ' ' }] }),
    JSON.stringify({ users: [{ ...user, userName: 'a\nb' }] }),
    JSON.stringify({ users: Array.from({ length: 9 }, () => user) }),
    JSON.stringify({ users: [user], heartbeats: 72 }),
    JSON.stringify({ complete: 'now' }),
  ]) {
    const { message } = await refused(service, set.member, SET, { name: ATTEMPT, value })
    assert.match(message, /^invalid value of feature FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT: it/, value)
  }
  assert.equal(await attemptOf(service, root), undefined)
})

test('an attempt adds to the root quorum of the day; a new set, or none, ends it', async (t) => {
  const service = await started(t)
  const { root } = service
  const { set, comer, attemptId } = await underWay(service)
  const grace = await service.user('Grace')
  const quorum = { threshold: 2, userIds: [root.userId, grace.userId] }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)
  await passHours(service, 72)
  await service.done(set.member, SET, complete(attemptId))
  const { json } = await service.query(comer.member, 'get_organization_configs')
  assert.deepEqual([json.configs.quorum.threshold, json.configs.quorum.userIds.length], [2, 3])

  const other = service.of(await service.newOrganization())
  const first = await underWay(other)
  const next = aSet(other)
  await other.done(other.root, SET, next.parameters)
  assert.equal(await attemptOf(other, other.root), undefined)
  assert.equal(
    (await refused(other, first.set.member, SET, begin(first.comer.user))).code,
    'PUBLIC_KEY_NOT_FOUND',
  )
  await other.done(next.member, SET, begin(first.comer.user))
  await other.done(other.root, REMOVE, { name: RECOVERY })
  assert.equal(await attemptOf(other, other.root), undefined)
  assert.equal((await refused(other, next.member, SET, begin(first.comer.user))).code, 'PUBLIC_KEY_NOT_FOUND')
})

test('an attempt that nobody completes within a week lapses, and the same people may begin again', async (t) => {
  const service = await started(t)
  const { set, comer, attemptId } = await underWay(service)
  await passHours(service, 72 + 167)
  assert.equal((await attemptOf(service, service.root)).attemptId, attemptId)
  await passHours(service, 1)
  assert.equal(await attemptOf(service, service.root), undefined)
  assert.match((await refused(service, set.member, SET, complete(attemptId))).message, /is not under way/)
  assert.deepEqual(await heartbeatsOf(service).look(), [])
  await service.done(set.member, SET, begin(comer.user))
  assert.equal((await attemptOf(service, service.root)).heartbeats, 0)
})

test('a sub-organization recovers by its own root quorum; its parent, and the set of the parent, do nothing there', async (t) => {
  const service = await started(t)
  const { root } = service
  const own = await underWay(service)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Customer',
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [] }],
  })
  const organizationId: string = made.subOrganizationId
  const ada: Member = { organizationId, userId: made.rootUserIds[0], key }
  const set = aSet(service, organizationId)
  const comer = aComer(service, 'Hedy', organizationId)
  const byParent: Member = { ...root, organizationId }
  assert.notEqual((await refused(service, byParent, SET, set.parameters)).status, 200)
  const byTheirSet: Member = { ...own.set.member, organizationId }
  assert.equal((await refused(service, byTheirSet, SET, begin(comer.user))).status, 400)
  await service.done(ada, SET, set.parameters)
  await service.done(set.member, SET, begin(comer.user))
  const { attemptId } = await attemptOf(service, ada)
  assert.notEqual((await refused(service, byParent, REMOVE, { name: ATTEMPT })).status, 200)
  await passHours(service, 72)
  const before = await service.store.charter(organizationId)
  await service.done(ada, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
  // Of a deleted organization nothing is left to recover.
  assert.equal(
    (await service.submit(set.member, SET, complete(attemptId))).json.turnkeyErrorCode,
    'PUBLIC_KEY_NOT_FOUND',
  )
  const deleted = await service.store.charter(organizationId)
  assert.ok(before && deleted)
  assert.equal((await service.vault.heartbeat({ charter: deleted })).kind, 'none')
  assert.equal((await service.vault.heartbeat({ charter: before })).kind, 'outdated')
})
