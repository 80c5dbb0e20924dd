import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService, type Member } from '../../../../test/support/service.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Store } from '../../../host/store/store.ts'
import { aSubOrganizationOf } from '../sessions/testing/logins.ts'

test('a user whom the parent deletes while another host decides asks, approves and rejects nothing below it', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  let meanwhile: (() => Promise<unknown>) | undefined
  const slower: Store = {
    ...store,
    commit: async (unit) => {
      await meanwhile?.()
      return await store.commit(unit)
    },
  }
  const [service, other] = [await aService({ store }), await aService({ store: slower, seed: 2 })]
  t.after(() => Promise.all([service.close(), other.close()]))
  const { root, done } = service
  const [pat] = [await service.user('Pat'), await service.user('Rae')]
  await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_EMAIL_AUTH' })
  await done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Three mail keys',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'EMAIL_AUTH'",
    consensus: 'approvers.count() >= 3',
    notes: '',
  })
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  assert.ok(ada)
  const { organizationId } = ada
  const mail = { email: 'ada@example.com', targetPublicKey: service.newKey().publicKey }
  const submit = async (by: Member, kind: string, parameters: object) => {
    other.world.advance(1)
    const type = `ACTIVITY_TYPE_${kind}`
    const { json, status } = await other.submit(by, type, parameters, { organizationId })
    return json.activity ?? { status, message: json.message }
  }
  const records = async (): Promise<number> =>
    (await service.query(ada, 'list_activities')).json.activities.length
  other.world.setClock(service.world.now())
  const { status, fingerprint } = await submit(pat, 'EMAIL_AUTH', mail)
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const before = await records()

  for (const [kind, parameters] of [
    ['APPROVE_ACTIVITY', { fingerprint }],
    ['REJECT_ACTIVITY', { fingerprint }],
    ['EMAIL_AUTH', mail],
    ['INIT_OTP_AUTH', { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }],
  ] as const) {
    const quin = await service.user(`Quin, for ${kind}`)
    // The other host has decided already, and is about to write.
    meanwhile = async () => {
      meanwhile = undefined
      await done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [quin.userId] })
    }
    const refused = await submit(quin, kind, parameters)
    assert.equal(meanwhile, undefined)
    assert.equal(refused.status, 401, `${kind} ${JSON.stringify(refused)}`)
  }
  assert.equal(await records(), before)
})
