import type { PolicyOutcome } from '../../policy/decide.ts'
import type { RequestContext } from '../authentication/request-context.ts'
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
  { compiled, parent }: Pick<RequestContext, 'compiled' | 'parent'>,
  governing: CompiledCharter,
  evaluations: Verdict['evaluations'],
): Decided {
  return {
    charter: compiled.pin(),
    ...(parent === undefined ? {} : { parent: parent.pin() }),
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
