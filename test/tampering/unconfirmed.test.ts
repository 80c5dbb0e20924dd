import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { StoreError } from '../../src/host/store/store-error.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { engines } from './database.ts'
import type { Outcome, Service } from './harness.ts'
import { done, newUser, populate, signing, submission } from './populated.ts'
import { aCode, activityIn, asked, assertPutBack, charterOf, recordOf, rowsOf } from './put-back.ts'

const skip = postgresAvailable() ? false : postgresMissing

// A server shows what its standby does not have yet, and is lost. Nobody writes to the database: it is put back as the
// standby has it.

test('a record that a failover may take back is no answer, and a failover that takes it back locks nobody out', {
  skip,
}, async (t) => {
  const { first, second, database, people, unconfirmed } = await beforeFailover(t)
  const { root, keyId } = people
  const sent = signing(first.world, root, keyId, '54')
  const { id } = activityIn(await first.send(sent))
  unconfirmed()
  await assertUnavailable(second.send(sent))
  // The server is lost, and with it the record.
  await database.rows('DELETE FROM activities WHERE activity_id = $1', id)
  const again = activityIn(await second.send(sent))
  assert.equal(again.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.notEqual(again.id, id)
})

test('a vote on what a failover may take back is not taken, and what comes back can be voted on', {
  skip,
}, async (t) => {
  const { first, second, database, people, unconfirmed } = await beforeFailover(t)
  const { ada, ben, waitingForApproval: fingerprint } = people
  const waiting = await recordOf(database, fingerprint)
  const rejected = await first.send(submission(first.world, ada, 'REJECT_ACTIVITY', { fingerprint }))
  assert.equal(rejected.status, 200)
  unconfirmed()
  const vote = submission(second.world, ben, 'APPROVE_ACTIVITY', { fingerprint })
  await assertUnavailable(second.send(vote))
  await database.putBack('activities', waiting)
  assert.equal((await second.send(vote)).status, 200)
})

test('a charter that a failover may take back is shown to no vault', { skip }, async (t) => {
  const { first, second, database, people, unconfirmed } = await beforeFailover(t)
  const { root, keyId } = people
  const before = await charterOf(database, root)
  await newUser(first, root, 'Eve')
  unconfirmed()
  await assertUnavailable(second.send(asked(root, 'whoami')))
  await assertUnavailable(second.send(signing(second.world, root, keyId, '55')))
  await assertUnavailable(second.send(submission(second.world, root, 'UPDATE_ORGANIZATION_NAME', NAME)))
  await database.putBack('charters', before)
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)
  await done(second, root, 'UPDATE_ORGANIZATION_NAME', NAME)
})

test('a charter that was confirmed once is not confirmed again, nor is one of an own commit', {
  skip,
}, async (t) => {
  const { second, people, unconfirmed } = await beforeFailover(t)
  const { root, keyId } = people
  await done(second, root, 'UPDATE_ORGANIZATION_NAME', NAME)
  unconfirmed()
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)
  assert.equal((await second.send(signing(second.world, root, keyId, '56'))).status, 200)
})

test('a charter of an own commit is known to stand once it was acknowledged, and no other one by it', {
  skip,
}, async (t) => {
  const { first, second, database, people, unconfirmed } = await beforeFailover(t)
  const { root } = people
  const rename = (by: Service, organizationName: string) =>
    by.send(submission(by.world, root, 'UPDATE_ORGANIZATION_NAME', { organizationName }))
  const lastAcknowledged = async (by: Service, name: string) => {
    await done(by, root, 'UPDATE_ORGANIZATION_NAME', { organizationName: name })
    return await charterOf(database, root)
  }

  // Its own commit is written, and whether it will stand is unknown.
  const stands = await lastAcknowledged(second, 'One')
  const lost = new StoreError('unavailable', 'the connection broke in the commit')
  const { commit, ...store } = database.store()
  second.useStore({
    ...store,
    commit: async (unit) => {
      await commit(unit)
      throw lost
    },
    confirmer: () => () => Promise.reject(lost),
  })
  await assertUnavailable(rename(second, 'Two'))
  await assertUnavailable(second.send(asked(root, 'whoami')))
  // A failover takes it back: the one before needs no word of a standby.
  await database.putBack('charters', stands)
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)

  // What another host has written since is not known to stand by an own commit before it.
  second.useStore(database.store())
  const own = await lastAcknowledged(second, 'Three')
  await lastAcknowledged(first, 'Four')
  unconfirmed()
  await assertUnavailable(second.send(asked(root, 'whoami')))
  await database.putBack('charters', own)
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)
})

test('a record that a failover may take back is shown to no query, and its request is taken again', {
  skip,
}, async (t) => {
  const { first, second, database, people, unconfirmed } = await beforeFailover(t)
  const { root, keyId } = people
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)
  const sent = signing(first.world, root, keyId, '57')
  const { id: activityId } = activityIn(await first.send(sent))
  unconfirmed()
  await assertUnavailable(second.send(asked(root, 'get_activity', { activityId })))
  await assertUnavailable(second.send(asked(root, 'list_activities')))
  await database.rows('DELETE FROM activities WHERE activity_id = $1', activityId)
  assert.equal(activityIn(await second.send(sent)).status, 'ACTIVITY_STATUS_COMPLETED')
})

test('what an old primary lacks is called absent to nobody', { skip }, async (t) => {
  const { second, people, unconfirmed } = await beforeFailover(t)
  const { root, ben } = people
  const fingerprint = `sha256:${'5a'.repeat(32)}`
  const activityId = '0198c5a0-7d3c-7000-8000-000000000001'
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)
  const send = async () => [
    await second.send(submission(second.world, ben, 'APPROVE_ACTIVITY', { fingerprint })),
    await second.send(asked(root, 'get_activity', { activityId })),
    await second.send(asked(root, 'list_activities', { filterByType: [NEVER_SENT] })),
    await second.send(asked(root, 'get_wallet', { walletId: activityId })),
    await second.send(signing(second.world, root, activityId, '58')),
  ]
  const answers = await send()
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 200, 404, 404],
  )
  assert.equal(answers[2]?.text, '{"activities":[]}')
  // Nothing that the standby has written since is seen here, and nothing is confirmed.
  unconfirmed()
  for (const sent of await send()) await assertUnavailable(Promise.resolve(sent))
})

test('a row that guards itself and that a failover may take back is shown to no vault', {
  skip,
}, async (t) => {
  const { first, second, database, people, unconfirmed } = await beforeFailover(t)
  const { root } = people
  const { otpId, code } = await aCode(database, root)
  assert.equal((await second.send(asked(root, 'whoami'))).status, 200)
  const tried = (by: Service, otpCode: string) => submission(by.world, root, 'VERIFY_OTP', { otpId, otpCode })
  const before = await rowsOf(database, 'otp_contact')
  const wrong = await first.send(tried(first, 'no code'))
  assert.equal(wrong.status, 400)
  unconfirmed()
  await assertUnavailable(second.send(tried(second, code)))
  await database.putBack('objects', before)
  assert.equal(activityIn(await second.send(tried(second, code))).status, 'ACTIVITY_STATUS_COMPLETED')
})

test('rows that a failover has taken back decide nothing that is signed afterwards', { skip }, async (t) => {
  const { first, second, database, people, unconfirmed, promoted } = await beforeFailover(t)
  const { root, stranger, keyId, spareKeyId } = people
  const { privateKeyTagId } = await done(first, root, 'CREATE_PRIVATE_KEY_TAG', {
    privateKeyTagName: 'Of the stranger',
    privateKeyIds: [],
  })
  await done(first, root, 'CREATE_POLICY_V3', {
    policyName: 'The stranger signs',
    effect: 'EFFECT_ALLOW',
    condition: `private_key.tags.contains('${privateKeyTagId}')`,
    consensus: `approvers.any(user, user.id == '${stranger.userId}')`,
    notes: '',
  })
  const before = [await charterOf(database, root), await rowsOf(database, 'private_key')] as const
  const signs = () => second.send(signing(second.world, stranger, spareKeyId, '59'))
  activityIn(await second.send(signing(second.world, root, keyId, '59')))
  const tagged = { privateKeyTagId, addPrivateKeyIds: [spareKeyId], removePrivateKeyIds: [] }
  await done(first, root, 'UPDATE_PRIVATE_KEY_TAG', tagged)
  unconfirmed()
  await assertUnavailable(signs())
  await database.putBack('charters', before[0])
  await database.putBack('objects', before[1])
  promoted()
  assert.equal((await signs()).status, 403)
})

test('a charter that a failover has lost, though it was acknowledged, decides nothing any more', {
  skip,
}, async (t) => {
  const { first, second, database, people, promoted } = await beforeFailover(t)
  const { root, stranger, keyId } = people
  const before = await charterOf(database, root)
  await done(second, root, 'UPDATE_ORGANIZATION_NAME', NAME)
  activityIn(await second.send(signing(second.world, root, keyId, '5a')))
  await database.putBack('charters', before)
  await done(first, root, 'DELETE_USERS', { userIds: [stranger.userId] })
  promoted()
  assertPutBack(await second.send(signing(second.world, root, keyId, '5b')), /charter of organization/)
})

test('a unit names the server that its rows were read from, also where another one is promoted meanwhile', {
  skip,
}, async (t) => {
  const { second, database, people } = await beforeFailover(t)
  const store = database.store()
  let server = 'the primary'
  const named: unknown[] = []
  second.useStore({
    ...store,
    server: () => server,
    objects: async (...of) => {
      const rows = await store.objects(...of)
      server = 'the standby'
      return rows
    },
    commit: ({ readFrom, ...unit }) => {
      named.push(readFrom)
      return store.commit(unit)
    },
  })
  activityIn(await second.send(signing(second.world, people.root, people.keyId, '5c')))
  assert.deepEqual(named, ['the primary'])
})

const NEVER_SENT = 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT'

const NAME = { organizationName: 'Another name' }

/** Two hosts with a vault each. */
async function beforeFailover(t: TestContext) {
  const database = await engines.postgres()
  t.after(database.close)
  const first = database.service
  const second = await database.another()
  const people = await populate(first, database.store())
  /** Until the database is written to, the second host reads what no standby has. */
  const unconfirmed = (): void => {
    const confirmer = () => () => Promise.reject(new StoreError('unavailable', 'no standby confirms it'))
    second.useStore({ ...database.store(), confirmer })
  }
  /** The standby is the primary now. */
  const promoted = (): void =>
    second.useStore({
      ...database.store(),
      server: () => 'the standby',
      commit: ({ readFrom: _, ...unit }) => database.store().commit(unit),
    })
  return { first, second, database, people, unconfirmed, promoted }
}

/** Over HTTP it is 503, and asks for the same bytes again. */
async function assertUnavailable(sent: Promise<Outcome>): Promise<void> {
  const { bug } = await sent
  assert.ok(bug instanceof StoreError && bug.kind === 'unavailable', String(bug))
}
