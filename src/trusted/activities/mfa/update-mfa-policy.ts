import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, type TypeOf, uuid } from '../../catalogue/shape.ts'
import type { MfaPolicy } from '../../charter/charter.ts'
import { knownUser } from '../../charter/members.ts'
import { checkMfaMethods, knownMfaPolicy } from '../../charter/mfa-policies.ts'
import { checkUnchanged, policyChangedMeanwhile } from '../../charter/policies.ts'
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
  mfaPolicyId: uuid,
  mfaPolicyName: optional(mfaPolicyName),
  condition: optional(condition, 'emptyIsGiven'),
  requiredAuthenticationMethods: optional(requiredMethods),
  order: optional(order),
  notes: optional(notes, 'emptyIsGiven'),
})

export const updateMfaPolicy = defineActivity({
  operation: 'update_mfa_policy',
  summary: 'Change the given fields of an MFA policy',
  forms: form('ACTIVITY_TYPE_UPDATE_MFA_POLICY', intent, {
    key: 'updateMfaPolicyResult',
    shape: mfaPolicyMade,
  }),
  ...mfaPolicyWriting,
  fails: [...mfaPolicyWriting.fails, policyChangedMeanwhile],
  action: 'UPDATE',
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      mfaPolicyId: '0198c5a0-7d3c-7000-8000-000000000003',
      condition: "activity.resource in ['PRIVATE_KEY', 'WALLET', 'CREDENTIAL', 'RECOVERY']",
    },
    result: { mfaPolicyId: '0198c5a0-7d3c-7000-8000-000000000003' },
  },
  params: userFacts,
  validate: async ({ condition: written }, vocabulary, work) => {
    if (written !== undefined) await checkCondition(written, vocabulary, work)
  },

  async execute({ intent: changes, charter, parent, now, waitedSince, work }) {
    const user = knownUser(charter, changes.userId)
    const before = knownMfaPolicy(user, changes.mfaPolicyId)
    const { mfaPolicyName: name, updatedAt } = before
    checkUnchanged({ what: 'MFA policy', name, updatedAt }, waitedSince)
    const policy = { ...changed(before, changes), updatedAt: now }
    // Unchanged methods may name a credential that was deleted since; only changed methods are checked.
    checkMfaMethods(user, changes.requiredAuthenticationMethods ?? [], [charter, parent])
    return await writtenMfaPolicy(charter, user, policy, { now, work })
  },
})

function changed(policy: MfaPolicy, changes: TypeOf<typeof intent>): MfaPolicy {
  const noted = changes.notes ?? policy.notes
  return {
    ...policy,
    mfaPolicyName: changes.mfaPolicyName ?? policy.mfaPolicyName,
    condition: changes.condition ?? policy.condition,
    required: changes.requiredAuthenticationMethods ?? policy.required,
    order: changes.order ?? policy.order,
    ...(noted === undefined ? {} : { notes: noted }),
  }
}
