import { aSubOrganization } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async ({ service, example }) => {
  await aSubOrganization(service)
  return { parameters: { ...example, prefix: 'oTH' } }
}
