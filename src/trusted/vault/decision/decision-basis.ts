import type { Activity } from '../../catalogue/activity.ts'
import type { PolicyOutcome } from '../../policy/decide.ts'
import { chartersOf, type RequestContext } from '../authentication/request-context.ts'
import type { CharterPin, CompiledCharter } from '../charters/compiled-charter.ts'
import type { PolicyEvaluation, Verdict } from './verdict.ts'

/**
 * The basis of a decision, as its record keeps it: the charter of the organization and, where it was read, that of the
 * parent; and for each policy that counted its outcome and the digest of its text. A policy without an effect on the
 * decision is covered by the digest of the charter only.
 */
export type Decided = {
  readonly charter: CharterPin
  readonly parent?: CharterPin
  readonly policies: readonly (PolicyEvaluation & { readonly digest: string })[]
}

/** @param governing  the charter whose policies decided */
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
