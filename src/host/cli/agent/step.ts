import { isCompleted, signedActivity, type SubmittedActivity } from '../signed-activity.ts'
import { printable } from '../policies/printable.ts'
import { type Organization, waitingActivities } from './organization.ts'

/** A step waits for other users: no later step is taken, and the same command continues after their approval. */
export class WaitsForOthers extends Error {
  override readonly name = 'WaitsForOthers'
}

export type Step = {
  readonly type: string
  readonly parameters: object
  /** A text in the request that is unique to its purpose. */
  readonly mark: string
}

/**
 * Carries out one activity. If an earlier request of the sender still waits, it is not repeated; a similar request of
 * another user may differ in other parts.
 *
 * @returns  its result
 * @throws   WaitsForOthers, ServiceError
 */
export async function carriedOut(
  { caller, userId }: Organization,
  { type, parameters, mark }: Step,
  now: () => number,
): Promise<SubmittedActivity['result']> {
  // A thief of the agent's key may have asked for any number of others: to read them all would hold up a pause.
  const waiting = await waitingActivities(caller, [type])
  const earlier = waiting.find(
    (activity) =>
      activity.proposerId === userId && JSON.stringify(activity.intent).includes(JSON.stringify(mark)),
  )
  const activity = earlier ?? (await signedActivity(caller, { type, parameters, now: now() }))
  if (!isCompleted(activity)) throw new WaitsForOthers(waitingText(activity))
  return activity.result
}

export function waitingText({ id, type, status, fingerprint }: SubmittedActivity): string {
  const what = type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
  const needs =
    status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' ? 'the approval of others' : 'another proof of its sender'
  return `${printable(what)} waits for ${needs}: activity ${printable(id)}, fingerprint ${printable(fingerprint)}`
}
