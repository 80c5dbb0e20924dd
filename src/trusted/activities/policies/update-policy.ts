import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, object, optional, type TypeOf, uuid } from '../../catalogue/shape.ts'
import type { Policy } from '../../charter/charter.ts'
import {
  checkUnchanged,
  knownPolicy,
  policyChangedMeanwhile,
  policyNotFound,
  withPolicy,
} from '../../charter/policies.ts'
import { checkSteps } from '../../policy/compile-policy.ts'
import { policyFailures } from './policy-failures.ts'
import { effect, expression, notes } from './policy-params.ts'

const fields = {
  policyId: uuid,
  policyName: optional(label),
  policyEffect: optional(effect),
  policyCondition: optional(expression, 'emptyIsGiven'),
  policyConsensus: optional(expression, 'emptyIsGiven'),
  policyNotes: optional(notes, 'emptyIsGiven'),
}
const intentV1 = object(fields)
// An empty `time` means always.
const intent = object({ ...fields, time: optional(expression, 'emptyIsGiven') })

const updated = object({ policyId: uuid })

export const updatePolicy = defineActivity({
  operation: 'update_policy',
  summary: 'Change the given fields of a policy',
  forms: form('ACTIVITY_TYPE_UPDATE_POLICY', intentV1, {
    key: 'updatePolicyResult',
    shape: updated,
  }).next('ACTIVITY_TYPE_UPDATE_POLICY_V2', intent, {
    up: (older) => older,
    result: { key: 'updatePolicyResultV2', shape: updated, down: (newer) => newer },
  }),
  resource: 'POLICY',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [policyNotFound, policyChangedMeanwhile, ...policyFailures],
  example: {
    intent: {
      policyId: '0198c5a0-7d3c-7000-8000-000000000001',
      policyCondition: "activity.kind == 'SIGN_RAW_PAYLOAD'",
    },
    result: { policyId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  // Each term is checked on its own, so those that stay were checked when they were written.
  validate: async ({ policyCondition: condition, policyConsensus: consensus, time }, vocabulary, work) => {
    await work.through(checkSteps([{ ...defined({ condition, consensus }), time }], vocabulary))
  },

  execute({ intent: changes, charter, now, waitedSince }) {
    const { policyId } = changes
    const before = knownPolicy(charter, policyId)
    const { policyName: name, updatedAt } = before
    checkUnchanged({ what: 'policy', name, updatedAt }, waitedSince)
    const policy = { ...changed(before, changes), updatedAt: now }
    return { result: { policyId }, charter: withPolicy(charter, policy, waitedSince) }
  },
})

function changed(policy: Policy, changes: TypeOf<typeof intent>): Policy {
  const { policyName, policyEffect, policyCondition, policyConsensus, policyNotes, time } = changes
  const { time: before, ...rest } = policy
  const after = time ?? before ?? ''
  return {
    ...rest,
    ...defined({
      policyName,
      effect: policyEffect,
      condition: policyCondition,
      consensus: policyConsensus,
      notes: policyNotes,
    }),
    ...(after === '' ? {} : { time: after }),
  }
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** Only the fields that have a value: an undefined one would replace the stored value. */
function defined<T extends object>(fields: T): Defined<T> {
  // Every field whose value is undefined was dropped, and no other was touched.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
