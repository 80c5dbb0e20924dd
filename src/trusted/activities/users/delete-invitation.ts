import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { invitationNotFound, withoutInvitation } from '../../charter/invitations.ts'

const invitationId = object({ invitationId: uuid })

export const deleteInvitation = defineActivity({
  operation: 'delete_invitation',
  summary: 'Delete an invitation',
  forms: form('ACTIVITY_TYPE_DELETE_INVITATION', invitationId, {
    key: 'deleteInvitationResult',
    shape: invitationId,
  }),
  resource: 'INVITATION',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [invitationNotFound],
  example: {
    intent: { invitationId: '0198c5a0-7d3c-7000-8000-000000000003' },
    result: { invitationId: '0198c5a0-7d3c-7000-8000-000000000003' },
  },

  execute({ intent, charter }) {
    return { result: intent, charter: withoutInvitation(charter, intent.invitationId) }
  },
})
