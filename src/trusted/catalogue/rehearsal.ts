import type { ErrorBody } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import type { Policy } from '../charter/charter.ts'
import type { Explanation } from '../policy/explain.ts'

/** Requests to be judged without being carried out: ones that nobody has made yet, or ones of the past. */
export type Rehearsal = {
  /** Taken as they are needed: all of them together may be long. */
  readonly cases: Iterable<RehearsalCase>
  /** Policies to judge by as well. */
  readonly draft?: Draft
  /** Whether the outcome has every step of each policy. */
  readonly explain: boolean
  /** The earlier use that policies see: the use in the meters, or the use of the earlier cases here. */
  readonly usage: 'metered' | ReplayedUsage
}

/** The replay totals: what a replay has counted so far, by the present policies and by the draft. */
export type ReplayedUsage = {
  readonly now: readonly ReplayedMeter[]
  readonly draft: readonly ReplayedMeter[]
}

/** `meterId`: hex of 32 bytes. `slots`: the oldest first, amounts as decimal digits. */
export type ReplayedMeter = {
  readonly meterId: string
  readonly windowMs: number
  readonly slots: readonly { readonly slot: number; readonly amount: string }[]
}

/** The policies that there are, with these in their places or beside them, and without those named. */
export type Draft = { readonly put: readonly Policy[]; readonly remove: readonly string[] }

export type RehearsalCase = {
  /** The body of the request. */
  readonly body: string
  /**
   * The users who approve, in this order; the first makes the request. Each approves with any of their credentials, or
   * only with the one of this key; a user who has shown several is named with each. An approval that was cast more than
   * a day before the last one counts no longer.
   */
  readonly approvers: readonly {
    readonly userId: string
    readonly publicKey?: string
    readonly castAt?: Ms
  }[]
  /** The instant at which the case is judged; the present when absent. */
  readonly at?: Ms
  /** For a request of the past: whether it was carried out, and so counts as use. */
  readonly wasCarriedOut?: boolean
}

/** The cases in their order; `used` where they were replayed. */
export type RehearsalOutcome = { readonly cases: readonly RehearsedCase[]; readonly used?: ReplayedUsage }

export type RehearsedCase =
  /** `drafted`: by the draft, where there is one and the organization's own policies judge. */
  | { readonly kind: 'judged'; readonly judgement: Judgement; readonly drafted?: Judgement }
  /** A case that cannot be judged: it is malformed, or about a thing that does not exist. */
  | { readonly kind: 'unclear'; readonly error: ErrorBody }

export type Judgement = {
  readonly decision: 'allow' | 'wait' | 'deny'
  /** Whether policies were asked at all: the root quorum needs none. */
  readonly asked: boolean
  readonly evaluations: readonly { readonly policyId: string; readonly outcome: string }[]
  readonly deniedBy: readonly string[]
  /** While it waits: the users whose approval would count. */
  readonly voters: readonly string[]
  /** One for each thing that the request does, where explanations were asked for. */
  readonly explanations: readonly Explanation[]
}
