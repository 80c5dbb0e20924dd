import type { Ms } from '../base/world.ts'

/** What one policy said, as the interface tells it. */
export type PolicyEvaluation = { readonly policyId: string; readonly outcome: string }

export type Verdict =
  | { readonly kind: 'allow'; readonly evaluations: readonly PolicyEvaluation[] }
  /** More approvals may allow it; `voters` are the users whose approval would count. */
  | {
      readonly kind: 'wait'
      readonly evaluations: readonly PolicyEvaluation[]
      readonly voters: readonly string[]
    }
  | {
      readonly kind: 'deny'
      readonly evaluations: readonly PolicyEvaluation[]
      readonly deniedBy: readonly string[]
    }

/** The policies that refuse a request only because of what was used before, and when they will do so no longer. */
export type LimitReached = { readonly policyIds: readonly string[]; readonly roomFrom: Ms }
