import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import { newVerifyState } from '../../src/host/copies/verify-state.ts'
import { nextPage, PASS_END } from '../../src/host/rotation/pass.ts'
import { resealStep } from '../../src/host/rotation/reseal-step.ts'
import { orderResealing, readResealing } from '../../src/host/rotation/resealing-note.ts'
import type { PassCount } from '../../src/protocol/vault.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { countParts } from '../../src/trusted/vault/seals/reseal.ts'
import { rootVersionOf } from '../../src/trusted/vault/keys/seal-text.ts'
import { sealCount } from '../../src/trusted/vault/seals/seals.ts'
import { SERVICE_PURPOSES } from '../../src/trusted/catalogue/service-purposes.ts'
import { nearly } from '../support/otp-setting.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { type Database, engines } from './database.ts'
import { type Outcome, type Service, START } from './harness.ts'
import { done, populate, signing, submission } from './populated.ts'
import { aCode, activityIn, approved, asked, assertPutBack, charterOf, recordOf, rowsOf } from './put-back.ts'

// What someone may try who writes to the database while rows are sealed under a newer version of the root key.

const first = { version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }
const second = { version: 2, secret: new Secret(new Uint8Array(32).fill(8)) }

/**
 * Each makes a row, or makes of one, what no vault would take: a number too small or too large, a word, a text, a
 * column too long.
 */
const MALFORMED = [
  "UPDATE activities SET revision = 0 WHERE status = 'ACTIVITY_STATUS_FAILED'",
  "UPDATE activities SET awaited = 7 WHERE status = 'ACTIVITY_STATUS_REJECTED'",
  "UPDATE activities SET timestamp_ms = 9007199254740993 WHERE activity_id = (SELECT min(activity_id) FROM activities WHERE status = 'ACTIVITY_STATUS_COMPLETED')",
  "UPDATE charters SET version = 0 WHERE body LIKE '%Other%'",
  "INSERT INTO objects (organization_id, kind, object_id, body, seal) VALUES ('org', 'LONG', 'x', '{}', '2.1.AAAA')",
  "INSERT INTO objects (organization_id, kind, object_id, body, seal, expires_at) VALUES ('org', 'k', 'y', '{}', '2.1.AAAA', -1)",
  "INSERT INTO objects (organization_id, kind, object_id, body, seal, expires_at) VALUES ('org', 'k', 'z', '{}', '2.2.AAAA', -1)",
  "INSERT INTO errands (sequence, lane, kind, created_at, organization_id, errand_id, seal) VALUES (9001, 'l', 'fax', 1, 'org', 'x', '2.1.AAAA')",
  "INSERT INTO errands (sequence, lane, kind, created_at, organization_id) VALUES (9002, 'l', 'email', 1, 'org')",
].map((sql) => sql.replace('LONG', 'k'.repeat(5_000)))

/** A reader that goes on behind such a row, as it was read, finds it again. */
const UNREADABLE_KEYS = [
  {
    key: 'no text',
    isHeldBy: new Set(['sqlite']),
    sql: `INSERT INTO objects (organization_id, kind, object_id, body, seal)
      VALUES (CAST(x'ff' AS TEXT), 'k', 'x', '{}', '2.1.AAAA')`,
    what: /^objects \ufffd k x: the rows after it cannot be read/,
  },
  {
    key: 'a number beyond 2^53',
    isHeldBy: new Set(['sqlite', 'postgres']),
    sql: `INSERT INTO errands (sequence, lane, kind, created_at, organization_id)
      VALUES (9007199254740993, 'l', 'email', 1, 'org')`,
    what: /^jobs 9007199254740992: the rows after it cannot be read/,
  },
]

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false
  describe(engine, { skip }, () => {
    const setting = async (t: TestContext) => {
      const database = await open()
      t.after(database.close)
      return { database, people: await populate(database.service, database.store()) }
    }

    test('everything goes on while rows are resealed, and when the older version is gone', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, ben, keyId, waitingForApproval, waitingForRejection } = people
      const { otpId, code } = await aCode(database, root)
      const attempt = async (otpCode: string): Promise<Outcome> =>
        await service.send(submission(service.world, root, 'VERIFY_OTP', { otpId, otpCode }))
      seals(service)
      assert.equal((await attempt(nearly(code))).status, 400)

      const pass = await passOver(database)
      assert.deepEqual(pass.troubles, [])
      assert.deepEqual(
        pass.count.found.map(({ version }) => version),
        [1],
      )
      assert.equal((await service.send(signing(service.world, root, keyId, '50'))).status, 200)
      await approved(service, ben, waitingForApproval)
      assert.equal((await attempt(nearly(code))).status, 400)

      const again = await passOver(database)
      assert.deepEqual([again.count.found, again.count.unsealed, again.resealed], [[], 0, 0])
      retires(service)
      assert.equal((await service.send(signing(service.world, root, keyId, '51'))).status, 200)
      assert.equal((await attempt(code)).status, 200)
      const rejection = submission(service.world, people.ada, 'REJECT_ACTIVITY', {
        fingerprint: waitingForRejection,
      })
      assert.equal((await service.send(rejection)).status, 200)
      assert.equal(activityIn(await service.send(people.signed)).id, people.signedId)
    })

    test('a charter that was put back gets no new seal, and is worth nothing when its version is gone', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, stranger } = people
      const before = await charterOf(database, root)
      await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      const now = await charterOf(database, root)
      seals(service)
      await database.putBack('charters', before)
      const pass = await passOver(database)
      assert.match(pass.troubles.join(), /older than the vault has seen it: charter of organization/)
      assert.equal(pass.count.unsealed, 1)
      assert.deepEqual(await charterOf(database, root), before)

      await database.putBack('charters', now)
      assert.deepEqual((await passOver(database)).troubles, [])
      retires(service)
      await database.putBack('charters', before)
      for (const restarted of [false, true]) {
        if (restarted) await restartWith(database, retires)
        const { status, bug } = await database.service.send(asked(stranger, 'whoami'))
        assert.equal(status, 500)
        assert.match(
          String(bug),
          restarted ? /sealed under root key version 1, which .* does not hold/ : /older than the vault/,
        )
      }
    })

    test('a host that was hidden and lacks the newest version refuses the rows under it, and no others', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, other, keyId } = people
      const hidden = await database.another()
      seals(service)
      await done(service, root, 'CREATE_USER_TAG', { userTagName: 'Newer', userIds: [] })

      const refused = await hidden.send(signing(service.world, root, keyId, '60'))
      assert.equal(refused.status, 500)
      assert.match(String(refused.bug), /sealed under root key version 2, which .* does not hold/)
      // Rows that no host has resealed since.
      assert.equal((await hidden.send(asked(other, 'whoami'))).status, 200)

      seals(hidden)
      assert.equal((await hidden.send(signing(service.world, root, keyId, '61'))).status, 200)
    })

    test('a row that was resealed is not put back to the seal that it had', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, ben, waitingForApproval: fingerprint } = people
      const [charter, record] = [await charterOf(database, root), await recordOf(database, fingerprint)]
      seals(service)
      await passOver(database)
      assert.equal((await service.send(asked(root, 'whoami'))).status, 200)
      assert.equal((await service.send(asked(root, 'list_activities'))).status, 200)
      const resealed = await charterOf(database, root)
      await database.putBack('charters', charter)
      assertPutBack(await service.send(asked(root, 'whoami')), /charter of organization/)
      await database.putBack('charters', resealed)
      await database.putBack('activities', record)
      const vote = submission(service.world, ben, 'APPROVE_ACTIVITY', { fingerprint })
      assertPutBack(await service.send(vote), /: activity/)
    })

    test('a settled activity, a code that was tried and a count do not come back by being resealed', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, ben, waitingForApproval: fingerprint } = people
      const { otpId, code } = await aCode(database, root)
      const fresh = await rowsOf(database, 'otp_contact')
      const wrong = submission(service.world, root, 'VERIFY_OTP', { otpId, otpCode: nearly(code) })
      assert.equal((await service.send(wrong)).status, 400)
      const waiting = await recordOf(database, fingerprint)
      await approved(service, ben, fingerprint)
      seals(service)
      await database.putBack('activities', waiting)
      await database.putBack('objects', fresh)
      const { troubles, count } = await passOver(database)
      assert.equal(count.unsealed, 2)
      assert.match(troubles.join(), /: activity .*: row otp_contact/)
      assert.deepEqual(await recordOf(database, fingerprint), waiting)
      assert.deepEqual(await rowsOf(database, 'otp_contact'), fresh)
    })

    test('a row that was changed or moved gets no seal from a pass', async (t) => {
      const { database } = await setting(t)
      seals(database.service)
      await database.rows("UPDATE objects SET body = replace(body, 'Treasury', 'Attacker')")
      await database.rows(
        "UPDATE activities SET type = 'ACTIVITY_TYPE_X' WHERE status = 'ACTIVITY_STATUS_FAILED'",
      )
      await database.rows("UPDATE charters SET version = version + 1 WHERE body LIKE '%Other%'")
      const before = await everySeal(database)
      const { troubles } = await passOver(database)
      const after = await everySeal(database)
      for (const what of [/private_key/, /activity/, /charter/]) assert.match(troubles.join(), what)
      const left = [...after].filter(([, seal]) => rootVersionOf(seal) === 1)
      assert.equal(left.length, troubles.length)
      for (const [row, seal] of left) assert.equal(before.get(row), seal)
    })

    test('a row of a shape that no row has stops no pass: it is named, and every other row is sealed', async (t) => {
      const { database } = await setting(t)
      seals(database.service)
      for (const sql of MALFORMED) await database.rows(sql)
      const before = await everySeal(database)
      const { count, troubles } = await passOver(database)
      assert.deepEqual([troubles.length, count.unsealed], [MALFORMED.length, MALFORMED.length])
      const left = [...(await everySeal(database))].filter(([, seal]) => rootVersionOf(seal) !== 2)
      assert.ok(left.length < MALFORMED.length && before.size > 3 * left.length)
      for (const [row, seal] of left) assert.equal(before.get(row), seal)

      // What an operator is told is what `claviger verify` tells, word for word.
      const named = await verifiedProblems(database)
      assert.deepEqual(
        troubles.filter((trouble) => !named.includes(trouble)),
        [],
      )

      // The order that the operator gave ends, and says the same.
      const store = database.store()
      await orderResealing(store, 'an order', START)
      const rest = async (): Promise<void> => {}
      const { vault, world } = database.service
      const means = { store, vault, now: world.now, by: 'a', rest, isStopped: () => false }
      while ((await resealStep(means)) !== undefined);
      const { standing } = present(await readResealing(store), 'the order')
      assert.equal(standing.state, 'stuck')
      assert.deepEqual(standing.troubles, troubles)
    })

    for (const { key, sql, what } of UNREADABLE_KEYS.filter(({ isHeldBy }) => isHeldBy.has(engine)))
      test(`a row whose key is ${key} ends a pass over its table and not the pass, and is named`, async (t) => {
        const { database } = await setting(t)
        seals(database.service)
        await database.rows(sql)
        const { count, troubles } = await passOver(database)
        assert.match(troubles.join('\n'), new RegExp(what.source, 'm'))
        assert.equal(count.unsealed, troubles.length)
        await assert.rejects(verifiedProblems(database), { name: 'CopyError', message: what })
      })

    test('a host without the newer version says so plainly, and goes on when it has the file', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, keyId } = people
      const other = await database.another()
      assert.equal((await other.send(signing(other.world, root, keyId, '60'))).status, 200)
      seals(service)
      await passOver(database)
      // What it remembers it goes on with; what it reads anew it cannot open.
      assert.equal((await other.send(signing(other.world, root, keyId, '61'))).status, 200)
      const { bug } = await other.send(asked(root, 'whoami'))
      assert.match(
        String(bug),
        /sealed under root key version 2, which the root key file of this host does not hold/,
      )
      assert.doesNotMatch(String(bug), /does not carry the vault's seal/)
      other.keyring.adopt({ versions: [first, second], seals: 1, service: [] })
      assert.equal((await other.send(asked(root, 'whoami'))).status, 200)
      assert.equal((await other.send(signing(other.world, root, keyId, '62'))).status, 200)
      // What it seals under the older version the others open, and the next pass takes up.
      assert.equal((await service.send(signing(service.world, root, keyId, '63'))).status, 200)
      assert.ok((await passOver(database)).resealed > 0)
    })

    test('another host knows the resealed row for the one that it has seen, and still takes nothing older', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, ada, stranger, waitingForApproval: fingerprint } = people
      const before = await charterOf(database, root)
      await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      const other = await database.another()
      for (const by of [root, ada]) assert.equal((await other.send(asked(by, 'list_activities'))).status, 200)
      seals(service)
      seals(other)
      // Another vault that has seen nothing is shown the older charter, and reseals that.
      const third = await database.another()
      seals(third)
      const now = await charterOf(database, root)
      await database.putBack('charters', before)
      await passOver(database, third)
      assert.notDeepEqual(await charterOf(database, root), before)
      for (const host of [service, other])
        assertPutBack(await host.send(asked(stranger, 'whoami')), /charter of organization/)
      await database.putBack('charters', now)
      await passOver(database)
      assert.equal((await other.send(asked(root, 'whoami'))).status, 200)
      await approved(other, people.ben, fingerprint)
    })

    test('a count that a database has changed, or that is of another pass, is not gone on with', async (t) => {
      const { database } = await setting(t)
      const { service } = database
      const { vault } = service
      seals(service)
      const page = {
        pass: 'one',
        place: 'x',
        unread: 0,
        seals: [],
        withSecrets: [],
        charters: [],
        activities: [],
        objects: [],
        jobs: [],
      }
      const begun = await vault.reseal({ ...page, seals: ['2.1.AA', '2.2.AA'] })
      assert.equal(begun.kind, 'resealed')
      if (begun.kind !== 'resealed') return
      const { count } = begun
      assert.deepEqual([count.rows, count.found], [2, [{ version: 1, rows: 1 }]])
      const forged: readonly Partial<PassCount>[] = [
        { found: [] },
        { rows: 3 },
        { place: PASS_END },
        { unsealed: 1 },
        { to: 3 },
        { secrets: { to: 1, left: 9 } },
        { pass: 'two' },
        { seal: '' },
      ]
      for (const change of forged)
        assert.equal((await vault.reseal({ ...page, count: { ...count, ...change } })).kind, 'otherPass')
      assert.equal((await vault.reseal({ ...page, pass: 'two', count })).kind, 'otherPass')
      // A thief of the first version seals one for itself.
      const stolen = {
        ...count,
        found: [],
        seal: sealCount(openKeyring([first]), countParts({ ...count, found: [] })),
      }
      assert.equal((await vault.reseal({ ...page, count: stolen })).kind, 'otherPass')
      assert.equal((await vault.reseal({ ...page, count })).kind, 'resealed')
    })
  })
}

/** Version 2 seals from now on. */
function seals({ keyring }: Service): void {
  keyring.adopt({ versions: [first, second], seals: 2, service: [] })
}

/** Version 1 is gone. */
function retires({ keyring }: Service): void {
  const service = SERVICE_PURPOSES.map(
    (purpose) =>
      ({ purpose, version: 1, state: 'used', secret: new Secret(keyring.serviceSecret(purpose)) }) as const,
  )
  keyring.adopt({ versions: [second], seals: 2, service })
}

async function restartWith(database: Database, then: (service: Service) => void): Promise<void> {
  const { restart } = database
  await restart()
  then(database.service)
}

async function passOver(database: Database, { vault }: Service = database.service) {
  const troubles: string[] = []
  let resealed = 0
  let count: PassCount | undefined
  do {
    const page = await nextPage({ store: database.store(), vault }, { pass: 'a pass', count, to: 2 })
    count = present(page.count, 'the same pass')
    troubles.push(...page.troubles)
    resealed += page.resealed
  } while (count.place !== PASS_END)
  return { count, troubles, resealed }
}

async function verifiedProblems({ store, service }: Database): Promise<readonly string[]> {
  const state = newVerifyState('salt')
  const paused = async (): Promise<void> => {}
  await verifyRows(snapshotSource(store()), service.vault, { state, pauseAfterRows: 1_000, paused })
  return state.problems.map(({ what, problem }) => `${what}: ${problem}`)
}

async function everySeal({ rows }: Database): Promise<ReadonlyMap<string, string>> {
  const all = await rows(
    `SELECT 'charter ' || organization_id AS row, seal FROM charters
     UNION ALL SELECT 'activity ' || activity_id, seal FROM activities
     UNION ALL SELECT kind || ' ' || object_id, seal FROM objects`,
  )
  return new Map(all.map(({ row, seal }) => [String(row), String(seal)]))
}
