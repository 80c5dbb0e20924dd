import { defineQuery } from '../../catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../catalogue/shape.ts'
import { knownUser } from '../../charter/members.ts'
import { knownMfaPolicy } from '../../charter/mfa-policies.ts'
import { mfaPolicyView } from '../../charter/view.ts'
import { mfaPolicyShape } from './mfa-shapes.ts'

export const getMfaPolicy = defineQuery({
  operation: 'get_mfa_policy',
  summary: 'Show an MFA policy of a user',
  request: object({ organizationId: organizationIdText, userId: uuid, mfaPolicyId: uuid }),
  response: object({ mfaPolicy: mfaPolicyShape }),
  answer: ({ userId, mfaPolicyId }, { charter }) => ({
    mfaPolicy: mfaPolicyView(knownMfaPolicy(knownUser(charter, userId), mfaPolicyId)),
  }),
})
