import assert from 'node:assert/strict'
import fc from 'fast-check'
import { checkPolicyTerms, compilePolicy } from '../compile-policy.ts'
import { decidePolicies, type PolicyOutcome } from '../decide.ts'
import { distinctMeters } from '../meters.ts'
import { type Approval, peopleFacts } from '../people.ts'
import { anyFacts, sampleVocabulary } from './arbitrary.ts'
import { anyPolicy, NIGHTS } from './arbitrary-policy.ts'
import { anyPast, usageOf } from './history.ts'
import { A, B, C, D, everyone, withPasskey } from './members.ts'
import { referenceOutcomes } from './reference-decision.ts'

/**
 * Decides random requests under random policies, and holds every outcome and every decision to the slow meaning of each
 * policy.
 *
 * @returns how often each outcome and each decision was seen
 * @throws  with the seed and the smallest case that was found, when the two differ
 */
export function decideAtRandom(requests: number): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1)
  const policies = fc.array(anyPolicy, { maxLength: 5 })
  const property = fc.property(
    policies,
    anyFacts,
    anyPast,
    anyApprovals,
    anyTime,
    (written, facts, past, approvals, now) => {
      const compiled = written.map((terms, at) =>
        compilePolicy({ policyId: `${at}`, ...terms }, sampleVocabulary),
      )
      const meters = distinctMeters(compiled.flatMap(({ condition }) => condition?.meters ?? []))
      const voter = approvals.at(-1)
      assert.ok(voter)
      for (const terms of written) checkPolicyTerms(terms, sampleVocabulary)

      const { evaluations, decision, deniedBy } = decidePolicies({
        policies: compiled,
        facts,
        approvals,
        voter,
        now,
        everyone: everyone.map(withPasskey),
        usage: usageOf(meters, past),
      })

      const request = { facts, people: peopleFacts(approvals), now, past }
      for (const [at, terms] of written.entries()) {
        const outcome = evaluations[at]?.outcome
        assert.ok(
          outcome !== undefined && referenceOutcomes(terms, request).includes(outcome),
          `${at}: ${outcome}`,
        )
        count(outcome)
      }
      const outcomes = evaluations.map(({ outcome }) => outcome)
      assert.equal(decision, referenceDecision(outcomes))
      assert.deepEqual(
        deniedBy,
        outcomes.flatMap((outcome, at) => (outcome === 'OUTCOME_DENY_EXPLICIT' ? [`${at}`] : [])),
      )
      count(decision)
    },
  )
  fc.assert(property, { numRuns: requests })
  return seen
}

function referenceDecision(outcomes: readonly PolicyOutcome[]): string {
  if (outcomes.includes('OUTCOME_DENY_EXPLICIT')) return 'deny'
  if (outcomes.includes('OUTCOME_ALLOW')) return 'allow'
  return outcomes.includes('OUTCOME_REQUIRES_CONSENSUS') ? 'consensus' : 'none'
}

const anyTime = fc
  .tuple(fc.constantFrom(...NIGHTS), fc.constantFrom(2, 20), fc.double({ min: -1, max: 1, noNaN: true }))
  .map(([night, hours, part]) => night + Math.round(hours * 3_600_000 * part))

/** One to three of them, each with one credential or with two. */
export const anyApprovals: fc.Arbitrary<readonly Approval[]> = fc
  .subarray([A, B, C, D], { minLength: 1, maxLength: 3 })
  .chain((members) => fc.tuple(...members.map((member) => fc.constantFrom(member, withPasskey(member)))))
