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
 * Of several things that a request does, the one that decides: what is denied, then what nobody allows, then what has to wait.
 * They share the steps that policies may take.
 *
 * @param questions  one for each thing; at least one
 */
export function decisive(questions: readonly PolicyQuestion[]): Decisive {
  return finished(decisiveSteps(questions))
}

export type Decisive = { readonly question: PolicyQuestion; readonly answer: PolicyAnswer }

export function* decisiveSteps(
  questions: readonly PolicyQuestion[],
  ask: Ask = decisionSteps,
): Steps<Decisive> {
  const budgets = budgetsFor(questions.length)
  const answered: Decisive[] = []
  for (const question of questions) answered.push({ question, answer: yield* ask({ ...question, budgets }) })
  const found = DECISIVE.map((decision) => answered.find(({ answer }) => answer.decision === decision))
  return present(
    found.find((item) => item !== undefined),
    'a request does something',
  )
}

/** What decides before what. */
export const DECISIVE: readonly PolicyDecision[] = ['deny', 'none', 'consensus', 'allow']
