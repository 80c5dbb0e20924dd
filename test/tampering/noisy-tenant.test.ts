import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { localVault } from '../../src/host/emulator/local-vault.ts'
import { Memory } from '../../src/trusted/vault/memory/memory.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { nearly } from '../support/otp-setting.ts'
import { engines } from './database.ts'
import { done, newKey, newUser, type Person, populate, signing, submission } from './populated.ts'
import { aCode, approved, asked, assertPutBack, charterOf, recordOf, rowsOf } from './put-back.ts'

// A tenant that writes to the database as well, and does as much of its own as the vault's memory has room for, so that
// the vault would forget what it knows of another tenant.

const ENTRIES_MAX = 12

async function setting(t: TestContext) {
  const database = await engines.sqlite()
  t.after(database.close)
  const people = await populate(database.service, database.store())
  const { world, keyring } = database.service
  const memory = new Memory(world, ENTRIES_MAX)
  const service = await database.another(() => localVault({ world, keyring, activities, memory }))
  return { database: { ...database, service }, service, quiet: people, noisy: people.other }
}

test('a tenant with as many sub-organizations does not bring back the charter of another one', async (t) => {
  const { database, service, quiet, noisy } = await setting(t)
  const { root, stranger } = quiet
  const before = await charterOf(database, root)
  await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })

  for (let n = 0; n < 2 * ENTRIES_MAX; n++) {
    const { publicKey } = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
    const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
    await done(service, noisy, 'CREATE_SUB_ORGANIZATION_V7', {
      subOrganizationName: `Sub ${n}`,
      rootQuorumThreshold: 1,
      rootUsers: [{ userName: 'Root', apiKeys, authenticators: [], oauthProviders: [] }],
    })
  }

  await database.putBack('charters', before)
  assertPutBack(await service.send(asked(stranger, 'whoami')), /charter of organization/)
})

test('a tenant with as many codes does not give back the tries of a code of another one', async (t) => {
  const { database, service, quiet, noisy } = await setting(t)
  const { otpId, code } = await aCode(database, quiet.root)
  const fresh = await rowsOf(database, 'otp_contact')
  const attempt = submission(service.world, quiet.root, 'VERIFY_OTP', { otpId, otpCode: nearly(code) })
  assert.equal((await service.send(attempt)).status, 400)

  await done(service, noisy, 'SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
  for (let n = 0; n < 2 * ENTRIES_MAX; n++)
    await done(service, noisy, 'INIT_OTP', {
      otpType: 'OTP_TYPE_EMAIL',
      contact: `noisy-${n}@example.com`,
      emailCustomization: { appName: 'Example' },
    })

  await database.putBack('objects', fresh)
  const again = submission(service.world, quiet.root, 'VERIFY_OTP', { otpId, otpCode: nearly(code) })
  assertPutBack(await service.send(again), /: row otp_contact/)
})

test('a tenant with as many waiting activities has no settled one of another tenant carried out again', async (t) => {
  const { database, service, quiet, noisy } = await setting(t)
  const { ben, root, waitingForApproval: fingerprint } = quiet
  const waiting = await recordOf(database, fingerprint)
  await approved(service, ben, fingerprint)

  await wait(2 * ENTRIES_MAX)

  await database.putBack('activities', waiting)
  const late = submission(service.world, root, 'APPROVE_ACTIVITY', { fingerprint })
  assertPutBack(await service.send(late), /: activity/)

  async function wait(count: number): Promise<void> {
    const { privateKeyId } = await newKey(service, noisy, 'Noisy')
    const mallory: Person = await newUser(service, noisy, 'Mallory')
    await done(service, noisy, 'CREATE_POLICY_V3', {
      policyName: 'Two sign',
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'SIGN'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    })
    for (let n = 0; n < count; n++) {
      const sent = signing(service.world, mallory, privateKeyId, String(n).padStart(2, '0'))
      const { status, text } = await service.send(sent)
      assert.match(text, /ACTIVITY_STATUS_CONSENSUS_NEEDED/, `${status}`)
    }
  }
})
