import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async ({ service, by, example }) => {
  await service.done(by, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'A few tags an hour',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG' && usage.count('1h', activity.organization_id) <= 5",
    notes: '',
  })
  await service.done(by, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Counted', userIds: [] })
  return { parameters: example }
}
