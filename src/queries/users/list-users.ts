import { defineQuery } from '../../catalogue/query.ts'
import { list, object, organizationIdText } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { userView } from '../../charter/view.ts'
import { userShape } from './user-shape.ts'

export const listUsers = defineQuery({
  operation: 'list_users',
  summary: 'List the users of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ users: list(userShape, { max: limits.users }) }),
  answer: (_, { charter }) => ({ users: charter.users.map(userView) }),
})
