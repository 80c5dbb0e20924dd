import { type PolicyAnswer, type PolicyDecision, type PolicyOutcome, type PolicyQuestion } from './decide.ts'
import { combinedDecision } from './combine-decisions.ts'
import { type Explanation, explainPolicies } from './explain.ts'

/** A request, and the decision that the policies are expected to make about it. */
export type PolicyTest = {
  readonly name: string
  /** One for each thing that the request does; at least one. */
  readonly questions: readonly PolicyQuestion[]
  readonly expect: PolicyDecision
  /** The expected outcomes by policy, for the thing that decides. */
  readonly outcomes?: { readonly [policyId: string]: PolicyOutcome }
}

export type PolicyTestResult = {
  readonly name: string
  readonly passed: boolean
  readonly expected: PolicyDecision
  readonly decision: PolicyDecision
  readonly wrongOutcomes: readonly WrongOutcome[]
  /** The explanation of the thing that decided; only where the test failed. */
  readonly explanation?: Explanation
}

/** `outcome` is absent where there is no such policy. */
type WrongOutcome = {
  readonly policyId: string
  readonly expected: PolicyOutcome
  readonly outcome?: PolicyOutcome
}

/** Decides by the very code that decides, and compares. */
export function runPolicyTest({ name, questions, expect, outcomes = {} }: PolicyTest): PolicyTestResult {
  const { question, answer } = combinedDecision(questions)
  const { decision } = answer
  const wrongOutcomes = Object.entries(outcomes).flatMap(([policyId, expected]) =>
    wrongOutcome(policyId, expected, answer),
  )
  const passed = decision === expect && wrongOutcomes.length === 0
  const told = { name, passed, expected: expect, decision, wrongOutcomes }
  return passed ? told : { ...told, explanation: explainPolicies(question) }
}

function wrongOutcome(
  policyId: string,
  expected: PolicyOutcome,
  { evaluations }: PolicyAnswer,
): readonly WrongOutcome[] {
  const outcome = evaluations.find((evaluation) => evaluation.policyId === policyId)?.outcome
  if (outcome === expected) return []
  return [{ policyId, expected, ...(outcome === undefined ? {} : { outcome }) }]
}
