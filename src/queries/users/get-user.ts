import { defineQuery } from '../../catalogue/query.ts'
import { object, text, uuid } from '../../catalogue/shape.ts'
import { knownUser } from '../../charter/members.ts'
import { userView } from '../../charter/view.ts'
import { userShape } from './user-shape.ts'

export const getUser = defineQuery({
  operation: 'get_user',
  summary: 'Get a user',
  request: object({ organizationId: text({ max: 64 }), userId: uuid }),
  response: object({ user: userShape }),
  answer: ({ userId }, { charter }) => ({ user: userView(knownUser(charter, userId)) }),
})
