import { defineFailure, NOT_FOUND } from '../base/failure.ts'
import type { Charter, Invitation } from './charter.ts'
import { limits, tooMany } from './limits.ts'

export const invitationNotFound = defineFailure<{
  readonly invitationId: string
  readonly organizationId: string
}>({
  kind: 'invitationNotFound',
  code: NOT_FOUND,
  say: ({ invitationId, organizationId }) =>
    `unable to find invitation ${invitationId} in organization ${organizationId}`,
})

/** The charter with these invitations in addition. */
export function withInvitations(charter: Charter, added: readonly Invitation[]): Charter {
  const invitations = [...charter.invitations, ...added]
  if (invitations.length > limits.invitations) throw tooMany({ what: 'invitations', max: limits.invitations })
  return { ...charter, invitations }
}

export function withoutInvitation(charter: Charter, invitationId: string): Charter {
  const invitations = charter.invitations.filter((invitation) => invitation.invitationId !== invitationId)
  if (invitations.length === charter.invitations.length)
    throw invitationNotFound({ invitationId, organizationId: charter.organizationId })
  return { ...charter, invitations }
}
