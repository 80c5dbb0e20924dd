import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { userView } from '../../../trusted/charter/view.ts'
import { userShape } from './user-shape.ts'

export const listUsers = defineQuery({
  operation: 'list_users',
  summary: 'List the users of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ users: list(userShape, { max: limits.users }) }),
  example: {},
  answer: (_, { charter }) => ({ users: charter.users.map(userView) }),
})
