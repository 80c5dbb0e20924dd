import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { setQuota } from '../../../../../test/support/set-quota.ts'

export const fixture: Fixture = async ({ service, by, example }) => {
  await setQuota(service, by.organizationId, { requests: 1_000, objects: 1_000 })
  return { parameters: example }
}
