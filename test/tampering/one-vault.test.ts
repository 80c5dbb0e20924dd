import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { Hosts } from '../../src/trusted/vault/hosts.ts'
import { spend, spending } from '../limits/spending.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { engines } from './database.ts'
import type { Service } from './harness.ts'
import { done, populate, signing, submission } from './populated.ts'
import { activityIn, approved, asked, assertPutBack, charterOf, recordOf } from './put-back.ts'

// Two hosts connected to one vault, on one database, and somebody who writes to it between them. What the one has
// committed the vault takes from the other no older: compare `two-hosts.test.ts`, where each has a vault of its own.

const skip = postgresAvailable() ? false : postgresMissing

describe('of two hosts at one vault, the one that was not shown what the other has written', { skip }, () => {
  test('is given no older charter, and amends none', async (t) => {
    const { first, second, database, people } = await atOneVault(t)
    const { root, stranger } = people
    const before = await charterOf(database, root)
    await done(first, root, 'DELETE_USERS', { userIds: [stranger.userId] })
    await database.putBack('charters', before)
    assertPutBack(await second.send(asked(stranger, 'whoami')), /charter of organization/)
    assertPutBack(await second.send(signing(second.world, stranger, people.keyId, '50')), /charter/)
    const tag = submission(second.world, root, 'CREATE_USER_TAG', { userTagName: 'one', userIds: [] })
    assertPutBack(await second.send(tag), /charter of organization/)
  })

  test('settles no activity and decides no request once more', async (t) => {
    const { first, second, database, people } = await atOneVault(t)
    const { root, ben, keyId, waitingForApproval: fingerprint } = people
    const waiting = await recordOf(database, fingerprint)
    await approved(first, ben, fingerprint)
    await database.putBack('activities', waiting)
    assertPutBack(
      await second.send(submission(second.world, ben, 'APPROVE_ACTIVITY', { fingerprint })),
      /: activity/,
    )
    const sent = signing(first.world, root, keyId, '53')
    const { id } = activityIn(await first.send(sent))
    await database.rows('DELETE FROM activities WHERE activity_id = $1', id)
    assertPutBack(await second.send(sent), /: its record is hidden$/)
  })

  test('can be hostile, and say of all units that they were dropped: the vault goes on knowing those of the other', async (t) => {
    const { first, hostile, database, people } = await atOneVault(t)
    const { root, stranger } = people
    const before = await charterOf(database, root)
    const tickets = Array.from({ length: 500 }, (_, at) => at + 1)
    hostile.says = () => {
      hostile.vault.settled({ committed: [], dropped: tickets, unknown: tickets })
    }
    await done(first, root, 'DELETE_USERS', { userIds: [stranger.userId] })
    await database.putBack('charters', before)
    assertPutBack(await first.send(asked(stranger, 'whoami')), /charter of organization/)
  })
})

// Known, and written down in SECURITY.md: a host can stop the others that share its vault.
test('a hostile host tells of a restore that never was, and the vault takes no new request', {
  skip,
}, async (t) => {
  const { first, hostile, people } = await atOneVault(t)
  const challenge = 'restored from a copy of 0, lost at 999999999999999'
  const proof = await hostile.vault.proveRoot(challenge)
  assert.equal(await hostile.vault.restored({ challenge, proof }), true)
  const { status, text } = await first.send(signing(first.world, people.root, people.keyId, '55'))
  assert.equal(status, 400, text)
  assert.match(text, /this service was restored from a backup/)
})

describe('two honest hosts at one vault', { skip }, () => {
  test('carry out the same bytes once, amend by turns and are never told that something was put back', async (t) => {
    const { first, second, people } = await atOneVault(t)
    const { root, keyId } = people
    const hosts = [first, second, first, second]
    for (let round = 0; round < 5; round++) {
      first.world.advance(1)
      const tags = hosts.map((host, n) =>
        host.send(
          submission(host.world, root, 'CREATE_USER_TAG', { userTagName: `tag ${round} ${n}`, userIds: [] }),
        ),
      )
      const same = signing(first.world, root, keyId, '52')
      const signed = hosts.map((host) => host.send(same))
      const listed = hosts.map((host) => host.send(asked(root, 'list_activities')))
      for (const { status, text, bug } of await Promise.all([...tags, ...signed, ...listed]))
        assert.equal(status, 200, `${text} ${String(bug)}`)
      const ids = (await Promise.all(signed)).map((outcome) => activityIn(outcome).id)
      assert.equal(new Set(ids).size, 1)
    }
  })

  test('meet a limit exactly, and neither is told of an internal error', async (t) => {
    const { first, second, database } = await atOneVault(t)
    const people = await spending(first, database.store())
    const [ada, account] = [await people.user('Ada'), await people.account()]
    await people.policy(
      'EFFECT_ALLOW',
      `wallet_account.address == '${account}' && usage.sum(eth.tx.value, '24h', wallet_account.address) <= 60`,
    )
    const statuses = await Promise.all(
      [first, second].flatMap((host, at) =>
        Array.from({ length: 25 }, (_, n) =>
          spend(host, ada, { signWith: account, values: [3n], nonce: at * 25 + n }),
        ),
      ),
    )
    assert.deepEqual(
      [200, 403].map((status) => statuses.filter((one) => one === status).length),
      [20, 30],
    )
  })

  test('wait for what the other one has under way, and go on when that one is gone', async (t) => {
    const { first, second, hostile, people } = await atOneVault(t)
    const { root, keyId } = people
    const sent = signing(first.world, root, keyId, '54')
    // The hostile host has the same request decided, and says nothing of it.
    await hostile.service.send(sent)
    let isAnswered = false
    const answer = second.send(sent).finally(() => {
      isAnswered = true
    })
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(isAnswered, false)
    hostile.leaves()
    assert.equal((await answer).status, 200)
  })
})

async function atOneVault(t: TestContext) {
  const database = await engines.postgres()
  t.after(database.close)
  const hosts = new Hosts(database.service.vault)
  const people = await populate(database.service, database.store())
  const joined = hosts.join()
  const hostile = {
    vault: joined.vault,
    leaves: joined.left,
    /** Before the honest hosts tell anything. */
    says: (): void => {},
  }
  const honest = (): Promise<Service> =>
    database.another(() => {
      const { vault } = hosts.join()
      return {
        ...vault,
        settled: (units) => {
          hostile.says()
          vault.settled(units)
        },
      }
    })
  const service = await database.another(() => ({
    ...joined.vault,
    decide: async (request) => {
      await joined.vault.decide(request)
      throw new Error('it goes no further')
    },
  }))
  return {
    first: await honest(),
    second: await honest(),
    hostile: Object.assign(hostile, { service }),
    database,
    people,
  }
}
