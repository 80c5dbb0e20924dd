import { isJsonObject, type JsonObject, type JsonValue } from '../../trusted/base/strict-json.ts'
import { printable } from './policies/printable.ts'
import { type Caller, ServiceError, ServiceRefusal, signedRequest } from './signed-query.ts'

/** The record of an activity, as far as commands read it. */
export type SubmittedActivity = {
  readonly id: string
  readonly status: string
  readonly type: string
  readonly fingerprint: string
  /** The user who made the request. */
  readonly proposerId: string
  readonly intent: JsonObject
  readonly result: JsonObject
}

/**
 * Submits an activity, stamped with a P-256 API key.
 *
 * @returns  its record: completed, or waiting for approvals or for further proof
 * @throws   ServiceError  if it is refused, if it has failed, and if the service does not answer
 */
export async function signedActivity(
  caller: Caller,
  activity: { readonly type: string; readonly parameters: object; readonly now: number },
): Promise<SubmittedActivity> {
  const { type, parameters, now } = activity
  const { baseUrl, organizationId } = caller
  const operation = type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
  const body = { type, timestampMs: String(now), organizationId, parameters }
  return submittedIn(await signedRequest(caller, `submit/${operation}`, body), { baseUrl, operation })
}

/** The record in the answer to a submission. @throws ServiceError like `signedActivity` */
export function submittedIn(
  answer: unknown,
  { baseUrl, operation }: { readonly baseUrl: string; readonly operation: string },
): SubmittedActivity {
  const submitted = activityIn(
    isJsonObject(answer as JsonValue) ? (answer as JsonObject)['activity'] : undefined,
  )
  if (submitted === undefined)
    throw new ServiceError(`${baseUrl} answered ${operation} in an unknown form: it may run another version`)
  if (['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'].includes(submitted.status))
    throw new ServiceRefusal(
      `${operation} did not happen: activity ${printable(submitted.id)} is ${printable(submitted.status)}`,
    )
  return submitted
}

export function isCompleted({ status }: SubmittedActivity): boolean {
  return status === 'ACTIVITY_STATUS_COMPLETED'
}

/** The parts of a record; undefined for another value. */
export function activityIn(value: unknown): SubmittedActivity | undefined {
  if (!isObject(value)) return undefined
  const { id, status, type, fingerprint, intent, result, votes } = value
  const proposerId = Array.isArray(votes) && isObject(votes[0]) ? votes[0]['userId'] : ''
  if (
    typeof id !== 'string' ||
    typeof status !== 'string' ||
    typeof type !== 'string' ||
    typeof fingerprint !== 'string' ||
    typeof proposerId !== 'string'
  )
    return undefined
  return {
    id,
    status,
    type,
    fingerprint,
    proposerId,
    intent: isObject(intent) ? intent : {},
    result: isObject(result) ? result : {},
  }
}

function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value as JsonValue | undefined)
}
