import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { knownMfaPolicy } from '../../../trusted/charter/mfa-policies.ts'
import { mfaPolicyView } from '../../../trusted/charter/view.ts'
import { mfaPolicyShape } from './mfa-shapes.ts'

export const getMfaPolicy = defineQuery({
  operation: 'get_mfa_policy',
  summary: 'Get an MFA policy of a user',
  request: object({ organizationId: organizationIdText, userId: uuid, mfaPolicyId: uuid }),
  response: object({ mfaPolicy: mfaPolicyShape }),
  example: {
    userId: '0198c5a0-7d3c-7000-8000-000000000002',
    mfaPolicyId: '0198c5a0-7d3c-7000-8000-000000000003',
  },
  answer: ({ userId, mfaPolicyId }, { charter }) => ({
    mfaPolicy: mfaPolicyView(knownMfaPolicy(knownUser(charter, userId), mfaPolicyId)),
  }),
})
