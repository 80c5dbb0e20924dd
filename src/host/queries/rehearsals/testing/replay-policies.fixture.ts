import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** The requests on its page need nothing beside the organization. */
export const fixture: Fixture = async ({ service, by, example }) => {
  for (const userTagName of ['First', 'Second', 'Third'])
    await service.done(by, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })
  return { parameters: { ...example, paginationOptions: { limit: '3' } } }
}
