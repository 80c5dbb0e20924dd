import type { PolicyTerms } from '../compile-policy.ts'
import type { Span } from '../tokens.ts'
import type { Tree } from '../tree.ts'
import type { AbstractRequest } from './abstract-request.ts'

/**
 * `danger`: a policy allows something that the policies seem to forbid. `warning`: a policy does not do what it says.
 * `note`: worth knowing.
 */
type Severity = 'danger' | 'warning' | 'note'

/** Something about a policy that its author should look at. It can be written as JSON. */
export type Finding = {
  readonly policyId: string
  readonly policyName?: string
  readonly severity: Severity
  readonly what:
    | 'unreadable'
    | 'allowsEverything'
    | 'rawAroundDeny'
    | 'neverTrue'
    | 'neverTogether'
    | 'contradiction'
    | 'neverActive'
    | 'activityType'
    | 'addressCase'
    | 'textCase'
    | 'duplicate'
    | 'denySkipped'
    | 'denyMayBeSkipped'
    | 'ownCredentialsWait'
    | 'limitCountsOthers'
  /** Sentences. */
  readonly why: string
  /** The part of the policy that it is about; absent when it is about the whole. */
  readonly place?: SourceRange
  /** Ids of other policies that it is about too. */
  readonly others?: readonly string[]
}

/** Offsets count UTF-16 code units, the end excluded. */
export type SourceRange = {
  readonly part: Part
  readonly start: number
  readonly end: number
  readonly text: string
}

export const PARTS = ['condition', 'consensus', 'time'] as const

export type Part = (typeof PARTS)[number]

export type LintedPolicy = PolicyTerms & { readonly policyName?: string }

/** A policy as read. A part that cannot be read is absent, and named in `unreadable`. */
export type ReadPolicy = {
  readonly policy: LintedPolicy
  readonly trees: { readonly [part in Part]?: Tree }
  readonly unreadable: readonly Part[]
}

/** A finding about one policy, without the policy's id and name. */
export type Remark = Omit<Finding, 'policyId' | 'policyName'>

/** The data of all rules. */
export type Ground = {
  readonly policies: readonly ReadPolicy[]
  readonly abstractRequests: readonly AbstractRequest[]
  /** The keywords for the contents of transactions and typed data, of all chains. */
  readonly contents: readonly string[]
  /** Milliseconds since the Unix epoch; without it nothing is said about times that are over. */
  readonly now: number | undefined
  /** Raw payloads that show nothing are allowed only by policies that grant them by name. */
  readonly rawSigningGuard: boolean
}

/** A rule of the lint: it looks for one kind of finding. */
export type Rule = (read: ReadPolicy, ground: Ground) => readonly Remark[]

export function placeOf({ policy }: ReadPolicy, part: Part, { start, end }: Span): SourceRange {
  return { part, start, end, text: (policy[part] ?? '').slice(start, end) }
}
