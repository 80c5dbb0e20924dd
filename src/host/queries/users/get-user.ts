import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { userView } from '../../../trusted/charter/view.ts'
import { userShape } from './user-shape.ts'

export const getUser = defineQuery({
  operation: 'get_user',
  summary: 'Get a user',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({ user: userShape }),
  example: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  answer: ({ userId }, { charter }) => ({ user: userView(knownUser(charter, userId)) }),
})
