import { label, list, named, object, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { Invitation } from '../../../trusted/charter/charter.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { times } from '../shapes.ts'

const invitation = {
  invitationId: uuid,
  receiverUserName: label,
  receiverUserTags: list(uuid, { max: limits.tags }),
  accessType: text({ max: 64 }),
  senderUserId: uuid,
  status: text({ max: 64 }),
  ...times,
}
const address = text({ max: 255 })

export const invitationShape = named('Invitation', object({ ...invitation, receiverUserEmail: address }))

export function invitationView({ createdAt, updatedAt, ...invitation }: Invitation) {
  return { ...invitation, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}

/** As published clients read it in the data of an organization: its address has another name there. */
export const invitationInDataShape = named(
  'InvitationInData',
  object({ ...invitation, receiverEmail: address }),
)

export function invitationInDataView(invitation: Invitation) {
  const { receiverUserEmail: receiverEmail, ...rest } = invitationView(invitation)
  return { ...rest, receiverEmail }
}
