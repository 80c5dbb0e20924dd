import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import type { Message } from '../../catalogue/message.ts'
import { label, list, object, oneOf, uuid } from '../../catalogue/shape.ts'
import type { Charter, Invitation } from '../../charter/charter.ts'
import { withInvitations } from '../../charter/invitations.ts'
import { tooMany } from '../../charter/limits.ts'
import { checkUsers, userNotFound } from '../../charter/members.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'
import { email, invalidEmail } from '../../catalogue/contacts.ts'
import { ACCESS_TYPES } from './user-params.ts'

const invitation = object({
  receiverUserName: label,
  receiverUserEmail: email,
  receiverUserTags: list(uuid, { max: 100 }),
  accessType: oneOf(ACCESS_TYPES),
  senderUserId: uuid,
})

/** Each recipient gets a mail. An invitation is kept until it is deleted; there is no public way to accept one. */
export const createInvitations = defineActivity({
  operation: 'create_invitations',
  summary: 'Invite people to the organization',
  forms: form(
    'ACTIVITY_TYPE_CREATE_INVITATIONS',
    object({ invitations: list(invitation, { min: 1, max: 100 }) }),
    {
      key: 'createInvitationsResult',
      shape: object({ invitationIds: list(uuid, { max: 100 }) }),
    },
  ),
  resource: 'INVITATION',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  personal: { of: 'contacts', entries: 'invitations' },
  writesTo: ({ invitations }) => ({
    contacts: invitations.map(({ receiverUserEmail }) => receiverUserEmail),
  }),
  fails: [userNotFound, tagNotFound, tooMany, invalidEmail],
  example: {
    intent: {
      invitations: [
        {
          receiverUserName: 'Grace',
          receiverUserEmail: 'grace@example.com',
          receiverUserTags: [],
          accessType: 'ACCESS_TYPE_ALL',
          senderUserId: '0198c5a0-7d3c-7000-8000-000000000002',
        },
      ],
    },
    result: { invitationIds: ['0198c5a0-7d3c-7000-8000-000000000003'] },
  },

  execute({ intent: { invitations }, charter, now, newId }) {
    checkUsers(
      charter,
      invitations.map(({ senderUserId }) => senderUserId),
    )
    checkTags(
      charter,
      'TAG_TYPE_USER',
      invitations.flatMap(({ receiverUserTags }) => receiverUserTags),
    )
    const added = invitations.map((wanted) => ({
      ...wanted,
      invitationId: newId(),
      status: 'INVITATION_STATUS_CREATED' as const,
      createdAt: now,
      updatedAt: now,
    }))
    return {
      result: { invitationIds: added.map(({ invitationId }) => invitationId) },
      charter: withInvitations(charter, added),
      messages: added.map((invitation) => invitationMail(charter, invitation)),
    }
  },
})

function invitationMail(charter: Charter, { receiverUserEmail }: Invitation): Message {
  return {
    channel: 'email',
    about: 'invitation',
    to: receiverUserEmail,
    organizationName: charter.organizationName,
    customization: {},
    sender: {},
  }
}
