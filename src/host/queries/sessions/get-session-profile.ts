import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownSessionProfile } from '../../../trusted/charter/session-profiles.ts'
import { profileOwner, sessionProfileShape, sessionProfileView } from './session-profile-view.ts'

export const getSessionProfile = defineQuery({
  operation: 'get_session_profile',
  summary: 'Get a session profile of the organization or of its parent',
  request: object({ organizationId: organizationIdText, sessionProfileId: uuid }),
  response: object({ sessionProfile: sessionProfileShape }),
  example: { sessionProfileId: '0198c5a0-7d3c-7000-8000-000000000006' },
  answer: async ({ sessionProfileId }, reader) => {
    const owner = await profileOwner(reader)
    return { sessionProfile: sessionProfileView(knownSessionProfile(owner, sessionProfileId)) }
  },
})
