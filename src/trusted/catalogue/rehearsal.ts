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
  /** Whether every step of each policy is told. */
  readonly explain: boolean
  /** What policies see of what was used before: what the meters tell, or what the earlier of these cases have used. */
  readonly usage: 'metered' | ReplayedUsage
}

/** What a replay has counted so far, to go on with: as the policies of now would have it, and as the draft would. */
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
  /** Who approve, whoever makes the request first. Each with any of their credentials, or only with that of this key. */
  readonly approvers: readonly { readonly userId: string; readonly publicKey?: string }[]
  /** The instant at which it is judged; now when absent. */
  readonly at?: Ms
  /** Of the past: whether it was carried out, and so counts towards what was used. */
  readonly wasCarriedOut?: boolean
}

/** The cases in their order; `used` where they were replayed. */
export type RehearsalOutcome = { readonly cases: readonly RehearsedCase[]; readonly used?: ReplayedUsage }

export type RehearsedCase =
  /** `drafted`: by the draft, where there is one and the organization's own policies judge. */
  | { readonly kind: 'judged'; readonly judgement: Judgement; readonly drafted?: Judgement }
  /** It cannot be judged: it is malformed, or what it is about is not there. */
  | { readonly kind: 'unclear'; readonly error: ErrorBody }

export type Judgement = {
  readonly decision: 'allow' | 'wait' | 'deny'
  /** Whether policies were asked at all: the root quorum needs none. */
  readonly asked: boolean
  readonly evaluations: readonly { readonly policyId: string; readonly outcome: string }[]
  readonly deniedBy: readonly string[]
  /** While it waits: the users whose approval would count. */
  readonly voters: readonly string[]
  /** For each thing that the request does, where explanations were wanted. */
  readonly explanations: readonly Explanation[]
}
