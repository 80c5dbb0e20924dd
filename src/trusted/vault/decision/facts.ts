import type { Steps } from '../../base/work.ts'
import type { Submission } from '../../catalogue/submission.ts'
import { activityFacts } from '../../catalogue/vocabulary.ts'
import type { Facts } from '../../policy/types.ts'
import type { OpenedRows } from './open-rows.ts'
import { usageFacts } from '../usage/usage.ts'

/** The value that the activity prepares from the request once. */
export function* preparedOf({ activity, newest }: Submission, rows: OpenedRows): Steps<unknown> {
  return activity.prepare && (yield* activity.prepare({ intent: newest, rows: rows.gathered }))
}

/**
 * The facts for policies: one set for each action of the request. The request is allowed when each set is.
 *
 * @returns  at least one
 */
export function factsOf(
  submission: Submission,
  rows: OpenedRows,
  { prepared, proposerId }: { readonly prepared: unknown; readonly proposerId: string },
): readonly Facts[] {
  const { activity, newest } = submission
  const subject = { intent: newest, rows: rows.gathered, prepared }
  const shared = {
    ...activityFacts(activity, submission),
    ...usageFacts(proposerId),
    ...activity.facts?.(subject),
  }
  const each = activity.eachFacts?.(subject) ?? []
  return each.length === 0 ? [shared] : each.map((facts) => ({ ...shared, ...facts }))
}
