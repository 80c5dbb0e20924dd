import type { Ms } from '../../base/world.ts'
import type { Requester } from '../../catalogue/activity.ts'
import { present } from '../../base/assert.ts'
import { audiencesHere } from '../../charter/identity-audiences.ts'
import { answerTo, type Question } from '../../catalogue/question.ts'
import type { Submission } from '../../catalogue/submission.ts'
import { carryOut, type Outcome } from './carry-out.ts'
import { chartersOf, type RequestContext } from '../authentication/request-context.ts'
import { randomBytesAt } from './drawing.ts'
import type { OpenedRows } from './open-rows.ts'

type Allowed =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'asks'; readonly questions: readonly Question[] }

/** Carries out an allowed request, under the current charters, or returns the questions that must be answered first. */
export async function executeAllowed(
  context: RequestContext,
  { activity, newest: intent }: Submission,
  {
    rows,
    prepared,
    requester,
    waitedSince,
  }: {
    readonly rows: OpenedRows
    readonly prepared: unknown
    readonly requester: Requester
    readonly waitedSince: Ms | undefined
  },
): Promise<Allowed> {
  const { vaultContext, request, compiled, origins, now, work } = context
  const { charter } = compiled
  const { service } = vaultContext
  const { answers = [] } = request
  const parent = activity.looksAtParent === true ? context.parent?.charter : undefined
  const audiences = audiencesHere(charter, parent)
  const questions = activity.asks?.({ intent, charter, parent, audiences, service }) ?? []
  if (questions.some((question) => answerTo(answers, question) === undefined))
    return { kind: 'asks', questions }
  const verified = await activity.verify?.(intent, {
    charter,
    origins,
    audiences,
    now,
    service,
    work,
    answerTo: (question) => present(answerTo(answers, question), 'the answer to a question that was asked'),
  })
  const guarded = chartersOf(context)
  const held = request.held ?? []
  const carrying = {
    activity,
    intent,
    charter,
    parent,
    guarded,
    rows,
    prepared,
    verified,
    requester,
    now,
    waitedSince,
    held,
    work,
  }
  const { keyring } = vaultContext
  const { organizationId } = charter
  const { userId } = requester
  const place = () => ({ organizationId, userId, kind: activity.operation })
  const randomBytes = randomBytesAt(vaultContext, place)
  return { kind: 'done', outcome: await carryOut({ keyring, service, randomBytes }, carrying) }
}
