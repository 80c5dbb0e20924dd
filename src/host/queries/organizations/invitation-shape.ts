import { label, list, named, object, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { Invitation } from '../../../trusted/charter/charter.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { timestampShape } from '../shapes.ts'

export const invitationShape = named(
  'Invitation',
  object({
    invitationId: uuid,
    receiverUserName: label,
    receiverUserEmail: text({ max: 255 }),
    receiverUserTags: list(uuid, { max: limits.tags }),
    accessType: text({ max: 64 }),
    senderUserId: uuid,
    status: text({ max: 64 }),
    createdAt: timestampShape,
    updatedAt: timestampShape,
  }),
)

export function invitationView({ createdAt, updatedAt, ...invitation }: Invitation) {
  return { ...invitation, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
