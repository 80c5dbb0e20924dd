import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVICE_FEATURES } from '../../charter/features.ts'
import { RECOVERY_ATTEMPT_FEATURE } from '../../charter/organization-recovery.ts'
import { activityView } from '../../vault/records/activity-view.ts'
import { aService } from '../../../../test/support/service.ts'

const SET = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
const REMOVE = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'
const VALUES: { readonly [name: string]: string } = {
  FEATURE_NAME_OIDC_AUDIENCES: 'https://accounts.google.com 4711.apps.googleusercontent.com',
  FEATURE_NAME_ORGANIZATION_RECOVERY: JSON.stringify({
    publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
    threshold: 2,
    shares: 3,
    delayHours: 72,
  }),
}
// Only the key of a recovery set asks for the other one (`organization-recovery.test.ts`).
const SET_BY_ROOTS = SERVICE_FEATURES.filter((name) => name !== RECOVERY_ATTEMPT_FEATURE)

test('features of this service alone stand apart from the published ones, in every answer', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const published = { name: 'FEATURE_NAME_SMS_AUTH' }
  await service.done(root, SET, published)
  for (const name of SET_BY_ROOTS) {
    const value = VALUES[name]
    const ours = value === undefined ? { name } : { name, value }
    assert.deepEqual(await service.done(root, SET, ours), { features: [published], serviceFeatures: [ours] })
    const { json } = await service.query(root, 'get_organization_configs')
    assert.deepEqual(json.configs.features, [published])
    assert.deepEqual(json.configs.serviceFeatures, [ours])
    const { json: whole } = await service.query(root, 'get_organization')
    assert.deepEqual(whole.organizationData.features, [published])
    assert.deepEqual(whole.organizationData.serviceFeatures, [ours])
    assert.deepEqual(await service.done(root, REMOVE, { name }), { features: [published] })
  }
  const { json } = await service.query(root, 'list_activities', { filterByType: [SET, REMOVE] })
  const intents = json.activities.map(({ intent }: { intent: object }) => Object.keys(intent)[0])
  assert.equal(intents.filter((key: string) => key === 'setServiceFeatureIntent').length, SET_BY_ROOTS.length)
  assert.equal(
    intents.filter((key: string) => key === 'removeServiceFeatureIntent').length,
    SET_BY_ROOTS.length,
  )
  assert.equal(intents.filter((key: string) => key === 'setOrganizationFeatureIntent').length, 1)
})

test('a record of before, whose result has all features in one list, is shown with ours apart', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, organizationId } = service
  await service.done(root, SET, { name: 'FEATURE_NAME_RAW_SIGNING_GUARD' })
  const [row] = await store.activities(organizationId, { types: [SET] }, { limit: 1 })
  assert.ok(row)
  const features = [{ name: 'FEATURE_NAME_SMS_AUTH' }, { name: 'FEATURE_NAME_RAW_SIGNING_GUARD' }]
  const result = JSON.stringify({ setOrganizationFeatureResult: { features } })
  const shown = JSON.parse(activityView({ ...row, result }, root.userId, service.world.now()))
  assert.deepEqual(shown.result.setOrganizationFeatureResult, {
    features: features.slice(0, 1),
    serviceFeatures: features.slice(1),
  })
})

test('a result of another activity is shown as it is recorded, also where it names a feature', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, organizationId } = service
  await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Signers', userIds: [] })
  const [row] = await store.activities(organizationId, {}, { limit: 1 })
  assert.ok(row)
  const createUserTagResult = { userTagId: 'FEATURE_NAME_RAW_SIGNING_GUARD', userIds: [] }
  const result = JSON.stringify({ createUserTagResult })
  const shown = JSON.parse(activityView({ ...row, result }, root.userId, service.world.now()))
  assert.deepEqual(shown.result.createUserTagResult, createUserTagResult)
})
