import { isCompleted, signedActivity, type SubmittedActivity } from '../signed-activity.ts'
import { printable } from '../policies/printable.ts'
import { type Organization, waitingActivities } from './organization.ts'

/** A step waits for others: nothing after it is done, and the same command goes on once they have approved it. */
export class WaitsForOthers extends Error {
  override readonly name = 'WaitsForOthers'
}

export type Step = {
  readonly type: string
  readonly parameters: object
  /** A text in the request that no request for anything else has. */
  readonly mark: string
}

/**
 * Has one activity carried out. One that the sender has asked for earlier and that still waits is not asked for again;
 * one of somebody else may look the same and say something else.
 *
 * @returns  its result
 * @throws   WaitsForOthers, ServiceError
 */
export async function carriedOut(
  { caller, userId }: Organization,
  { type, parameters, mark }: Step,
  now: () => number,
): Promise<SubmittedActivity['result']> {
  const waiting = await waitingActivities(caller)
  const earlier = waiting.find(
    (activity) =>
      activity.proposerId === userId &&
      activity.type === type &&
      JSON.stringify(activity.intent).includes(JSON.stringify(mark)),
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
