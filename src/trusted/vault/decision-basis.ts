import type { Activity } from '../catalogue/activity.ts'
import type { PolicyOutcome } from '../policy/decide.ts'
import { chartersOf, type RequestContext } from './request-context.ts'
import type { CharterPin, CompiledCharter } from './compiled-charter.ts'
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

/** @param governing  whose policies judged */
export function decidedOn(
  context: RequestContext,
  activity: Activity,
  governing: CompiledCharter,
  evaluations: Verdict['evaluations'],
): Decided {
  const { compiled, parent } = context
  const isParentIn = parent !== undefined && chartersOf(context, activity, governing).includes(parent.charter)
  return {
    charter: compiled.pin(),
    ...(isParentIn ? { parent: parent.pin() } : {}),
    policies: evaluations
      .filter(({ outcome }) => COUNTED.has(outcome))
      .map(({ policyId, outcome }) => ({ policyId, outcome, digest: governing.policyDigest(policyId) })),
  }
}

const COUNTED: ReadonlySet<string> = new Set([
  'OUTCOME_ALLOW',
  'OUTCOME_DENY_EXPLICIT',
  'OUTCOME_REQUIRES_CONSENSUS',
] satisfies PolicyOutcome[])
