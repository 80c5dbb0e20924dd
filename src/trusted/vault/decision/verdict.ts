import type { Ms } from '../../base/world.ts'

/** The outcome of one policy, as the interface shows it. */
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

/** Denied without asking policies, or with none that says anything about it. */
export const DENIED: Extract<Verdict, { kind: 'deny' }> = { kind: 'deny', evaluations: [], deniedBy: [] }

/**
 * The policies that refuse a request only because of earlier usage, and the time at which their limits have room again.
 */
export type LimitReached = { readonly policyIds: readonly string[]; readonly roomFrom: Ms }
