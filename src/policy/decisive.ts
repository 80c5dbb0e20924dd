import { present } from '../base/assert.ts'
import {
  budgetsFor,
  decidePolicies,
  type PolicyAnswer,
  type PolicyDecision,
  type PolicyQuestion,
} from './decide.ts'

/** Has policies answer a question. */
export type Ask = (question: PolicyQuestion) => PolicyAnswer

/**
 * Of several things that a request does, the one that decides: what is denied, then what nobody allows, then what has to wait.
 * They share the steps that policies may take.
 *
 * @param questions  one for each thing; at least one
 */
export function decisive(questions: readonly PolicyQuestion[], ask: Ask = decidePolicies) {
  const budgets = budgetsFor(questions.length)
  const answered = questions.map((question) => ({ question, answer: ask({ ...question, budgets }) }))
  const found = DECISIVE.map((decision) => answered.find(({ answer }) => answer.decision === decision))
  return present(
    found.find((one) => one !== undefined),
    'a request does something',
  )
}

/** What decides before what. */
export const DECISIVE: readonly PolicyDecision[] = ['deny', 'none', 'consensus', 'allow']
