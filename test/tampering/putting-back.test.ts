import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { problemsIn } from '../support/erasing.ts'
import { nearly } from '../support/otp-setting.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { createAuthenticator } from '../support/software-authenticator.ts'
import type { JsonAnswer } from '../support/service.ts'
import { type Database, engines } from './database.ts'
import type { Outcome, Service } from './harness.ts'
import { done, newUser, type Person, populate, signing, submission } from './populated.ts'
import {
  aCode,
  activityIn,
  approved,
  asked,
  assertPutBack,
  charterOf,
  codeRequest,
  recordOf,
  rowsOf,
} from './put-back.ts'

// What someone may try who writes to the database while the service runs, and puts back what was there before.

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false
  describe(engine, { skip }, () => {
    const setting = async (t: TestContext) => {
      const database = await open()
      t.after(database.close)
      return { database, people: await populate(database.service, database.store()) }
    }

    test('a user who was just deleted stays deleted when the charter of before is put back at once', async (t) => {
      const { database, people } = await setting(t)
      const { root, ada, stranger } = people
      const { service } = database
      const before = await charterOf(database, root)
      await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      const now = await charterOf(database, root)
      await database.putBack('charters', before)
      assertPutBack(await service.send(asked(stranger, 'whoami')), /charter of organization/)
      assertPutBack(await service.send(signing(service.world, stranger, people.keyId, '50')), /charter/)
      assertPutBack(await service.send(signing(service.world, ada, people.keyId, '51')), /charter/)
      assertPutBack(await service.send(asked(root, 'list_users')), /charter of organization/)
      const drafted = asked(root, 'try_activity', tried(service, root, people.keyId))
      assertPutBack(await service.send(drafted), /charter of organization/)
      // It is not the vault that is spoilt: the newest is taken as soon as it is there again.
      await database.putBack('charters', now)
      assert.equal((await service.send(signing(service.world, root, people.keyId, '52'))).status, 200)
      assert.equal((await service.send(asked(stranger, 'whoami'))).status, 401)
    })

    test('a settled activity is not carried out again when its waiting revision is put back', async (t) => {
      const { database, people } = await setting(t)
      const { ben, root, waitingForApproval: fingerprint } = people
      const { service } = database
      const waiting = await recordOf(database, fingerprint)
      await approved(service, ben, fingerprint)
      const settled = await recordOf(database, fingerprint)
      assert.equal(settled[0]?.['status'], 'ACTIVITY_STATUS_COMPLETED')
      await database.putBack('activities', waiting)
      const late = submission(service.world, root, 'APPROVE_ACTIVITY', { fingerprint })
      assertPutBack(await service.send(late), /^.*: activity [0-9a-f-]{36}: 1 .* instead of 2/)
      assertPutBack(await service.send(people.waiting), /: activity/)
      // Nobody is shown it as waiting either.
      const activityId = String(waiting[0]?.['activity_id'])
      assertPutBack(await service.send(asked(root, 'get_activity', { activityId })), /: activity/)
      await database.putBack('activities', settled)
      assert.equal((await service.send(late)).status, 400)
    })

    test('a rejected activity is not revived', async (t) => {
      const { database, people } = await setting(t)
      const { ben, waitingForRejection: fingerprint } = people
      const { service } = database
      const waiting = await recordOf(database, fingerprint)
      const rejection = submission(service.world, people.ada, 'REJECT_ACTIVITY', { fingerprint })
      assert.equal((await service.send(rejection)).status, 200)
      await database.putBack('activities', waiting)
      const approval = submission(service.world, ben, 'APPROVE_ACTIVITY', { fingerprint })
      assertPutBack(await service.send(approval), /: activity/)
    })

    test('a vote that was cast is not taken out of a record that still waits', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root, ada, ben } = people
      const cleo = await newUser(service, root, 'Cleo')
      await done(service, root, 'CREATE_POLICY_V3', {
        policyName: 'Three make keys',
        effect: 'EFFECT_ALLOW',
        condition: "activity.resource == 'PRIVATE_KEY'",
        consensus: `approvers.count() >= 3`,
        notes: '',
      })
      const sent = submission(service.world, ada, 'CREATE_PRIVATE_KEYS_V2', newKey('Of three'))
      const { fingerprint } = activityIn(await service.send(sent))
      const first = await recordOf(database, fingerprint)
      const approval = submission(service.world, ben, 'APPROVE_ACTIVITY', { fingerprint })
      assert.equal(activityIn(await service.send(approval)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
      await database.putBack('activities', first)
      const third = submission(service.world, cleo, 'APPROVE_ACTIVITY', { fingerprint })
      assertPutBack(await service.send(third), /: activity/)
    })

    test('a request whose record is hidden is not decided again, and the record is called by its name', async (t) => {
      const { database, people } = await setting(t)
      const { root, stranger, keyId } = people
      const { service } = database
      const made = submission(service.world, root, 'CREATE_PRIVATE_KEYS_V2', newKey('Once'))
      const signed = signing(service.world, root, keyId, '53')
      const refused = signing(service.world, stranger, keyId, '54')
      for (const sent of [made, signed, refused]) {
        const first = await service.send(sent)
        const again = await service.send(sent)
        assert.deepEqual(again, first)
        const record = await lastRecord(database)
        await database.rows(
          'DELETE FROM activities WHERE activity_id = $1',
          present(record['activity_id'], 'an id'),
        )
        await database.rows('DELETE FROM claims')
        const hidden = await service.send(sent)
        assertPutBack(
          hidden,
          new RegExp(`: request ${String(record['fingerprint'])} .*: its record is hidden$`),
        )
        await database.putBack('activities', [record])
        assert.deepEqual(await service.send(sent), first)
        service.world.advance(1)
      }
    })

    test('an activity that waits can be hidden from its voters, and nothing comes of it but that', async (t) => {
      const { database, people } = await setting(t)
      const { ben, root, waitingForApproval: fingerprint } = people
      const { service } = database
      const waiting = await recordOf(database, fingerprint)
      await database.rows('DELETE FROM activities WHERE fingerprint = $1', fingerprint)
      const approval = submission(service.world, ben, 'APPROVE_ACTIVITY', { fingerprint })
      assert.equal((await service.send(approval)).status, 404)
      const listed = await service.send(asked(root, 'list_activities'))
      assert.ok(listed.status === 200 && !listed.text.includes(fingerprint), listed.text)
      assertPutBack(await service.send(people.waiting), /its record is hidden$/)
      await database.putBack('activities', waiting)
      await approved(service, ben, fingerprint)
    })

    test('a registration whose claim is deleted serves once more, and that is all there is to gain', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const device = createAuthenticator({ randomBytes: service.world.randomBytes })
      const attestation = device.register('AAAA', 'https://app.example')
      const authenticators = [{ authenticatorName: 'Phone', challenge: 'AAAA', attestation }]
      const register = async ({ root }: { root: Person }): Promise<Outcome> => {
        service.world.advance(1)
        const parameters = { userId: root.userId, authenticators }
        return await service.send(submission(service.world, root, 'CREATE_AUTHENTICATORS_V2', parameters))
      }
      const { result } = activityIn(await register(people))
      const { authenticatorIds } = result.createAuthenticatorsResult
      const { userId } = people.root
      await done(service, people.root, 'DELETE_AUTHENTICATORS', { userId, authenticatorIds })
      assert.equal((await register(people)).status, 400)
      await database.rows("DELETE FROM claims WHERE kind = 'PASSKEY'")
      assert.equal((await register(people)).status, 200)
      assert.equal((await register({ root: people.ada })).status, 400)
    })

    test('tries of a one-time code are not given back, nor is a code that was used up', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root } = people
      const { otpId, code } = await aCode(database, root)
      const fresh = await rowsOf(database, 'otp_contact')
      const attempt = async (otpCode: string): Promise<Outcome> =>
        await service.send(submission(service.world, root, 'VERIFY_OTP', { otpId, otpCode }))
      assert.equal((await attempt(nearly(code))).status, 400)
      const once = await rowsOf(database, 'otp_contact')
      await database.putBack('objects', fresh)
      assertPutBack(await attempt(nearly(code)), /: row otp_contact/)
      await database.putBack('objects', once)
      assert.equal((await attempt(code)).status, 200)
      await database.putBack('objects', once)
      await database.rows(
        'INSERT INTO directory (scope, kind, value, target) VALUES ($1, $2, $3, $4)',
        root.organizationId,
        'OTP',
        otpId,
        present(once[0]?.['object_id'], 'the row of the contact'),
      )
      assertPutBack(await attempt(code), /: row otp_contact/)
      // Nor does taking the row away make room for more codes.
      await database.rows("DELETE FROM objects WHERE kind = 'otp_contact'")
      assertPutBack(
        await service.send(codeRequest(service, root)),
        /: row otp_contact .*: nothing instead of 3/,
      )
    })

    test('that a verification token was used is not taken back', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      const { root } = people
      const { otpId, code } = await aCode(database, root)
      const email = 'ada@example.com'
      const { verificationToken } = await done(service, root, 'VERIFY_OTP', { otpId, otpCode: code })
      const update = { userId: root.userId, userEmail: email, verificationToken }
      await done(service, root, 'UPDATE_USER_EMAIL', update)
      await database.rows("DELETE FROM objects WHERE kind = 'used_token'")
      service.world.advance(1)
      const again = submission(service.world, root, 'UPDATE_USER_EMAIL', update)
      assertPutBack(await service.send(again), /: row used_token .*: nothing instead of 1/)
      // Nor is anything said of a request that would write nothing.
      const nobody = { ...update, userId: people.other.userId }
      const ofNobody = submission(service.world, root, 'UPDATE_USER_EMAIL', nobody)
      assertPutBack(await service.send(ofNobody), /: row used_token .*: nothing instead of 1/)
    })

    // Known, and written down in SECURITY.md: what a restart gives to a writer of the database.
    test('after a restart what was valid once is taken again, within its own bounds', async (t) => {
      const { database, people } = await setting(t)
      const { root, ben, stranger, keyId, waitingForApproval: fingerprint } = people
      const waiting = await recordOf(database, fingerprint)
      await approved(database.service, ben, fingerprint)
      const before = await charterOf(database, root)
      await done(database.service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      await database.putBack('charters', before)
      await database.putBack('activities', waiting)
      // Each row is one that the vault has sealed, so a verification finds nothing either.
      assert.deepEqual(await problemsIn(database.store(), database.service.vault), [])
      await database.restart()
      const { service } = database
      assert.equal((await service.send(asked(stranger, 'whoami'))).status, 200)
      assert.equal((await service.send(signing(service.world, stranger, keyId, '55'))).status, 403)
      await approved(service, ben, fingerprint)
    })
  })
}

async function lastRecord({ rows }: Database) {
  return present((await rows('SELECT * FROM activities ORDER BY activity_id DESC LIMIT 1'))[0], 'a record')
}

function tried({ world }: Service, by: Person, signWith: string) {
  const { body } = signing(world, by, signWith, '60')
  // It was just written as JSON.
  const { type, parameters } = JSON.parse(body) as JsonAnswer
  return { type, parameters }
}

function newKey(privateKeyName: string) {
  const key = { privateKeyName, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }
  return { privateKeys: [key] }
}
