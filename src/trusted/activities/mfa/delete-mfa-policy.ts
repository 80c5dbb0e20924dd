import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { mfaPolicyNotFound, withoutMfaPolicy } from '../../charter/mfa-policies.ts'
import { mfaPolicyMade } from './mfa-params.ts'
import { userFacts } from '../users/user-facts.ts'

const intent = object({ userId: uuid, mfaPolicyId: uuid })

/**
 * Users may not delete their own MFA policy: a stolen credential, against which the policy protects, could then remove
 * it.
 */
export const deleteMfaPolicy = defineActivity({
  operation: 'delete_mfa_policy',
  summary: 'Delete an MFA policy of a user',
  forms: form('ACTIVITY_TYPE_DELETE_MFA_POLICY', intent, {
    key: 'deleteMfaPolicyResult',
    shape: mfaPolicyMade,
  }),
  resource: 'MFA_POLICY',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...memberFailures, mfaPolicyNotFound],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      mfaPolicyId: '0198c5a0-7d3c-7000-8000-000000000003',
    },
    result: { mfaPolicyId: '0198c5a0-7d3c-7000-8000-000000000003' },
  },
  params: userFacts,

  async execute({ intent: { userId, mfaPolicyId }, charter, now, work }) {
    const user = withoutMfaPolicy(knownUser(charter, userId), mfaPolicyId)
    return { result: { mfaPolicyId }, charter: await work.through(withUsers(charter, [user], now)) }
  },
})
