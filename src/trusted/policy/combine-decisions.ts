import { present } from '../base/assert.ts'
import { finished, type Steps } from '../base/work.ts'
import {
  budgetsFor,
  decisionSteps,
  type PolicyAnswer,
  type PolicyDecision,
  type PolicyQuestion,
} from './decide.ts'

/** Has policies answer a question. */
export type Ask = (question: PolicyQuestion) => Steps<PolicyAnswer>

/**
 * The one thing that decides, of several that a request does: a denied one first, then one that nothing allows, then
 * one that has to wait. They share the steps that policies may take.
 *
 * @param questions  one for each thing; at least one
 */
export function combinedDecision(questions: readonly PolicyQuestion[]): CombinedDecision {
  return finished(combinedSteps(questions))
}

type Answered = { readonly question: PolicyQuestion; readonly answer: PolicyAnswer }

/** `alike`: the places of all questions with the decision that decides. */
type CombinedDecision = Answered & { readonly alike: readonly number[] }

export function* combinedSteps(
  questions: readonly PolicyQuestion[],
  ask: Ask = decisionSteps,
): Steps<CombinedDecision> {
  const budgets = budgetsFor(questions.length)
  const answered: Answered[] = []
  for (const question of questions) answered.push({ question, answer: yield* ask({ ...question, budgets }) })
  const found = DECISIVE_ORDER.map((decision) =>
    answered.flatMap(({ answer }, at) => (answer.decision === decision ? [at] : [])),
  )
  const alike = found.find(({ length }) => length > 0) ?? []
  return { ...present(answered[alike[0] ?? 0], 'a request does something'), alike }
}

/** The decisions in their order: an earlier one decides before a later one. */
export const DECISIVE_ORDER: readonly PolicyDecision[] = ['deny', 'none', 'consensus', 'allow']
