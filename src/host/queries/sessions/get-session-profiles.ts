import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { profileOwner, sessionProfileShape, sessionProfileView } from './session-profile-view.ts'

export const getSessionProfiles = defineQuery({
  operation: 'get_session_profiles',
  summary: 'List the session profiles of the organization or of its parent',
  request: object({ organizationId: organizationIdText }),
  response: object({ sessionProfiles: list(sessionProfileShape, { max: limits.sessionProfiles }) }),
  example: {},
  answer: async (_, reader) => {
    const { sessionProfiles } = await profileOwner(reader)
    return { sessionProfiles: sessionProfiles.map(sessionProfileView) }
  },
})
