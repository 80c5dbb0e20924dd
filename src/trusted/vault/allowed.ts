import type { Requester } from '../catalogue/activity.ts'
import { present } from '../base/assert.ts'
import { audiencesHere } from '../charter/identity-audiences.ts'
import { answerTo, type Question } from '../catalogue/question.ts'
import type { Submission } from '../catalogue/submission.ts'
import { carryOut, type Outcome } from './carry-out.ts'
import { chartersOf, courtOf, type Hearing } from './hearing.ts'
import type { OpenedRows } from './open-rows.ts'

export type Allowed =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'asks'; readonly questions: readonly Question[] }

/** Carries out what has been allowed, under the charters of now; unless something has to be found out first. */
export async function allowed(
  hearing: Hearing,
  { activity, newest: intent }: Submission,
  {
    rows,
    prepared,
    requester,
  }: { readonly rows: OpenedRows; readonly prepared: unknown; readonly requester: Requester },
): Promise<Allowed> {
  const { judge, request, standing, origins, now, work } = hearing
  const { charter } = standing
  const { service } = judge
  const { answers = [] } = request
  const parent = activity.looksAtParent === true ? hearing.parent?.charter : undefined
  const audiences = audiencesHere(charter, parent)
  const questions = activity.asks?.({ intent, charter, parent, audiences, service }) ?? []
  if (questions.some((question) => answerTo(answers, question) === undefined))
    return { kind: 'asks', questions }
  const witness = await activity.witness?.(intent, {
    charter,
    origins,
    audiences,
    now,
    service,
    work,
    answerTo: (question) => present(answerTo(answers, question), 'the answer to a question that was asked'),
  })
  const guarded = chartersOf(hearing, activity, courtOf(hearing, requester.userId))
  const held = request.held ?? []
  const carrying = {
    activity,
    intent,
    charter,
    parent,
    guarded,
    rows,
    prepared,
    witness,
    requester,
    now,
    held,
    work,
  }
  return { kind: 'done', outcome: await carryOut(judge, carrying) }
}
