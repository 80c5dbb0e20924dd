import { utf8 } from '../../trusted/base/bytes.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { Failure } from '../../trusted/base/failure.ts'
import type { Shape } from '../../trusted/catalogue/shape.ts'
import type { Signer } from '../../trusted/crypto/signature.ts'
import { p256Stamp } from '../http/p256-stamp.ts'
import { boundedBody } from './console/bounded-body.ts'
import { whyNot } from './console/why-not.ts'
import { printable } from './policies/printable.ts'

/** The sender, and the address of a running service. */
export type Caller = { readonly baseUrl: string; readonly organizationId: string; readonly signer: Signer }

/** The service did not answer, or answered with an error. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** The service has answered that it does not carry out the request. After any other error it may have. */
export class ServiceRefusal extends ServiceError {}

/** The service does not carry out this request; it may carry out another one, such as one for less. */
export class InvalidRequest extends ServiceRefusal {}

/** A limit of requests: the same request is taken later. */
export class TooManyRequests extends ServiceRefusal {}

/** No service answers at the address, or it answers that it cannot do it now. */
export class ServiceUnreachable extends ServiceError {}

const ANSWER_WITHIN_MS = 120_000
/** Twice the characters of the longest answer of a service. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024
const INVALID_STATUS = 400
const LIMITED_STATUS = 429
const UNAVAILABLE_STATUS = 503

/**
 * Sends a query, stamped with a P-256 API key.
 *
 * @throws ServiceError
 */
export async function signedQuery<T>(
  caller: Caller,
  operation: string,
  asked: object,
  response: Shape<T>,
): Promise<T> {
  const { baseUrl, organizationId } = caller
  const json = await signedRequest(caller, `query/${operation}`, { organizationId, ...asked })
  try {
    return response.read(json, '', 'strict')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new ServiceError(
      `${baseUrl} answered ${operation} in an unknown form, so it may run another version: ${error.message}`,
    )
  }
}

/** Sends a body, stamped with a P-256 API key, and reads the answer as JSON. @throws ServiceError */
export async function signedRequest(
  { baseUrl, signer }: Caller,
  path: string,
  asked: object,
): Promise<unknown> {
  const body = JSON.stringify(asked)
  return await stampedRequest(baseUrl, path, { body, stamp: p256Stamp(signer, utf8(body)) })
}

/** Sends a stamped body, and reads the answer as JSON. @throws ServiceError, ServiceRefusal, ServiceUnreachable */
export async function stampedRequest(
  baseUrl: string,
  path: string,
  { body, stamp }: { readonly body: string; readonly stamp: string },
): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-stamp': stamp }
  const { status, json } = await answerTo(`${baseUrl}/public/v1/${path}`, { method: 'POST', body, headers })
  if (isSuccess(status)) return json
  throw refusedBy(baseUrl, status, json)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** The error for an answer that is no success. @param who  the service, for the operator */
export function refusedBy(who: string, status: number, json: unknown): ServiceError {
  const refused = `${who} refuses (${status}): ${messageIn(json)}`
  if (status === UNAVAILABLE_STATUS) return new ServiceUnreachable(refused)
  if (status === INVALID_STATUS) return new InvalidRequest(refused)
  if (status === LIMITED_STATUS) return new TooManyRequests(refused)
  return status < 500 ? new ServiceRefusal(refused) : new ServiceError(refused)
}

/**
 * A whole answer, within bounds of time and length.
 *
 * @returns  `json` is undefined for an answer that is no JSON
 * @throws   ServiceUnreachable
 */
export async function answerTo(
  url: string,
  asked: RequestInit,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const answer = await fetch(url, { ...asked, redirect: 'error', signal }).catch((error: unknown) => {
    throw new ServiceUnreachable(`${url} cannot be reached: ${whyNot(error)}`)
  })
  const body = await boundedBody(answer, ANSWER_BYTES_MAX).catch((error: unknown) => {
    throw new ServiceUnreachable(`${url} was asked, and its answer cannot be read: ${whyNot(error)}`)
  })
  return { status: answer.status, json: jsonIn(body.toString()) }
}

function messageIn(json: unknown): string {
  const has = typeof json === 'object' && json !== null && 'message' in json
  return has ? printable(String(json.message)) : 'it gives no reason'
}
