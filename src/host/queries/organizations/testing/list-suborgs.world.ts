import { aSubOrganization } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async ({ service, example }) => {
  await aSubOrganization(service)
  return { parameters: { ...example, filterValue: 'Other' } }
}
