import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { invitationShape, invitationView } from './invitation-shape.ts'

/** The open invitations: neither accepted nor deleted. */
export const listInvitations = defineQuery({
  operation: 'list_invitations',
  ours: true,
  summary: 'List the invitations of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ invitations: list(invitationShape, { max: limits.invitations }) }),
  example: {},
  answer: (_, { charter: { invitations } }) => ({ invitations: invitations.map(invitationView) }),
})
