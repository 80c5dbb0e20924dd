import {
  boolean,
  int64,
  list,
  named,
  object,
  optional,
  refined,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import type { Shape } from '../../../trusted/catalogue/shape.ts'
import type { Draft, Judgement } from '../../../trusted/catalogue/rehearsal.ts'
import { label } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { effect, expression } from '../../../trusted/activities/policies/policy-params.ts'

/** The explanation of a policy, as docs/policy-tools.md describes it. */
const explanation: Shape<unknown> = { read: (value) => value, schema: { type: 'object' } }

const policyOutcome = object({ policyId: text({ max: 64 }), outcome: text({ max: 64 }) })

export const judgementShape = named(
  'Judgement',
  object({
    decision: text({ max: 16 }),
    asked: boolean,
    policyEvaluations: list(policyOutcome, { max: limits.policies }),
    deniedBy: list(text({ max: 64 }), { max: limits.policies }),
    voters: list(uuid, { max: Number.MAX_SAFE_INTEGER }),
    explanations: list(explanation, { max: Number.MAX_SAFE_INTEGER }),
  }),
)

export function judgementView({ evaluations, ...judgement }: Judgement) {
  return { ...judgement, policyEvaluations: evaluations }
}

/** As the vault takes them. An amount has 78 digits at most, and any number of amounts may be used in a window. */
const AMOUNT_DIGITS_MAX = 100
const AMOUNT = /^(0|[1-9][0-9]*)$/

const meters = list(
  object({
    meterId: refined(text({ max: 64 }), {
      problem: (value) => (/^[0-9a-f]{64}$/.test(value) ? undefined : 'must be 64 hexadecimal digits'),
      schema: { pattern: '^[0-9a-f]{64}$' },
    }),
    windowMs: refined(int64, {
      problem: (value) => (value > 0 ? undefined : 'must be more than 0'),
      schema: { minimum: 1 },
    }),
    slots: list(
      object({
        slot: int64,
        amount: refined(text({ max: AMOUNT_DIGITS_MAX }), {
          problem: (value) =>
            AMOUNT.test(value) ? undefined : 'must be a number in decimal digits, without zeros before it',
          schema: { pattern: AMOUNT.source },
        }),
      }),
      { max: 100 },
    ),
  }),
  { max: Number.MAX_SAFE_INTEGER },
)

/** The usage that a replay has counted so far; the next request passes on the value from the previous answer. */
export const replayedUsage = object({ now: meters, draft: meters })

/** Draft policies; one with the id of an existing policy replaces it. */
export const draftShape = named(
  'PolicyDraft',
  object({
    policies: optional(
      list(
        object({
          policyId: optional(uuid),
          policyName: label,
          effect,
          condition: optional(expression, 'emptyIsGiven'),
          consensus: optional(expression, 'emptyIsGiven'),
          time: optional(expression),
        }),
        { max: limits.policies },
      ),
    ),
    withoutPolicyIds: optional(list(uuid, { max: limits.policies })),
  }),
)

type SentDraft = ReturnType<typeof draftShape.read>

export function draftOf({ policies = [], withoutPolicyIds = [] }: SentDraft, now: number): Draft {
  return {
    put: policies.map(({ policyId, time, ...terms }, at) => ({
      ...terms,
      ...(time === undefined ? {} : { time }),
      policyId: policyId ?? `draft-${at + 1}`,
      notes: '',
      createdAt: now,
      updatedAt: now,
    })),
    remove: withoutPolicyIds,
  }
}
