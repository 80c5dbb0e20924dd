import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async ({ service, by, example }) => {
  await service.done(by, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', example)
  return { parameters: example }
}
