import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import { knownUser } from '../../charter/members.ts'
import { checkMfaMethods } from '../../charter/mfa-policies.ts'
import {
  checkCondition,
  condition,
  mfaPolicyMade,
  mfaPolicyName,
  mfaPolicyWriting,
  notes,
  order,
  requiredMethods,
  writtenMfaPolicy,
} from './mfa-params.ts'
import { userFacts } from '../users/user-facts.ts'

const intent = object({
  userId: uuid,
  mfaPolicyName,
  condition,
  requiredAuthenticationMethods: requiredMethods,
  order,
  notes: optional(notes),
})

/** A user may not write their own MFA policy: a weaker one could be placed before the others. */
export const createMfaPolicy = defineActivity({
  operation: 'create_mfa_policy',
  summary: 'Create an MFA policy, which asks a user for further proof before some activities',
  forms: form('ACTIVITY_TYPE_CREATE_MFA_POLICY', intent, {
    key: 'createMfaPolicyResult',
    shape: mfaPolicyMade,
  }),
  ...mfaPolicyWriting,
  action: 'CREATE',
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      mfaPolicyName: 'Sign with a passkey too',
      condition: "activity.action in ['SIGN', 'EXPORT'] || activity.resource in ['CREDENTIAL', 'RECOVERY']",
      requiredAuthenticationMethods: [
        { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
        { any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] },
      ],
      order: 0,
      notes: 'Reviewed every quarter',
    },
    result: { mfaPolicyId: '0198c5a0-7d3c-7000-8000-000000000003' },
  },
  params: userFacts,
  validate: (intent, vocabulary, work) => checkCondition(intent.condition, vocabulary, work),

  async execute({ intent, charter, parent, now, newId, work }) {
    const { userId, requiredAuthenticationMethods: required, ...terms } = intent
    const user = knownUser(charter, userId)
    checkMfaMethods(user, required, [charter, parent])
    const mfaPolicyId = newId()
    const policy = { ...terms, mfaPolicyId, required, createdAt: now, updatedAt: now }
    return await writtenMfaPolicy(charter, user, policy, { now, work })
  },
})
