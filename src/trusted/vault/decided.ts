import type { Activity } from '../catalogue/activity.ts'
import type { PolicyOutcome } from '../policy/decide.ts'
import { chartersOf, type Hearing } from './hearing.ts'
import type { CharterPin, Standing } from './standing.ts'
import type { PolicyEvaluation, Verdict } from './verdict.ts'

/**
 * On what something was decided, as its record keeps it: the charter of the organization and, where it was looked at, that of the
 * parent; and of each policy that counted what it said and the digest of its text. A policy that allowed, denied or waited for
 * nobody did not count; that it was there is in the digest of the charter.
 */
export type Decided = {
  readonly charter: CharterPin
  readonly parent?: CharterPin
  readonly policies: readonly (PolicyEvaluation & { readonly digest: string })[]
}

/** @param court  whose policies judged */
export function decidedOn(
  hearing: Hearing,
  activity: Activity,
  court: Standing,
  evaluations: Verdict['evaluations'],
): Decided {
  const { standing, parent } = hearing
  const isParentIn = parent !== undefined && chartersOf(hearing, activity, court).includes(parent.charter)
  return {
    charter: standing.pin(),
    ...(isParentIn ? { parent: parent.pin() } : {}),
    policies: evaluations
      .filter(({ outcome }) => COUNTED.has(outcome))
      .map(({ policyId, outcome }) => ({ policyId, outcome, digest: court.policyDigest(policyId) })),
  }
}

const COUNTED: ReadonlySet<string> = new Set([
  'OUTCOME_ALLOW',
  'OUTCOME_DENY_EXPLICIT',
  'OUTCOME_REQUIRES_CONSENSUS',
] satisfies PolicyOutcome[])
