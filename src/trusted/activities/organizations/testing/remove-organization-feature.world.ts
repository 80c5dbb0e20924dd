import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async ({ service, by, example }) => {
  await service.done(by, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', example)
  return { parameters: example }
}
