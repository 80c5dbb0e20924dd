import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { StoreError } from '../../src/host/store/store-error.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { engines } from './database.ts'
import type { Outcome } from './harness.ts'
import { populate, signing, submission } from './populated.ts'
import { activityIn, recordOf } from './put-back.ts'

const skip = postgresAvailable() ? false : postgresMissing

// A server shows what its standby does not have yet, and is lost. Nobody writes to the database: it is put back as the standby has it.

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

/** Two hosts with a vault each. */
async function beforeFailover(t: TestContext) {
  const database = await engines.postgres()
  t.after(database.close)
  const first = database.service
  const second = await database.another()
  const people = await populate(first, database.store())
  /** Until the database is written to, the second host reads what no standby has. */
  const unconfirmed = (): void => {
    const confirm = () => Promise.reject(new StoreError('unavailable', 'no standby confirms it'))
    second.useStore({ ...database.store(), confirm })
  }
  return { first, second, database, people, unconfirmed }
}

/** Over HTTP it is 503, and asks for the same bytes again. */
async function assertUnavailable(sent: Promise<Outcome>): Promise<void> {
  const { bug } = await sent
  assert.ok(bug instanceof StoreError && bug.kind === 'unavailable', String(bug))
}
