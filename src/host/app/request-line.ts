import { isIP } from 'node:net'
import type { AnsweredCall } from '../http/server.ts'

/**
 * One request as a line of the log: the requester, the operation, the outcome, and the time in each part. Of the
 * request it contains only ids and the client address: no body, no stamp and no name.
 *
 * @param route  the path of the interface; an unknown path is not shown
 */
export function requestLine(call: AnsweredCall, route: string, now: number): string {
  const { method, status, seconds, error, traceparent, clientAddress, watch } = call
  return `${JSON.stringify({
    time: new Date(now).toISOString(),
    level: 'info',
    event: 'request',
    id: watch?.id,
    traceparent: knownTraceparent(traceparent),
    method: knownMethod(method),
    operation: route.replace(/^\/public\/v1\//, ''),
    organizationId: watch?.organizationId,
    userId: watch?.userId,
    address: addressIn(clientAddress),
    status,
    code: error?.code,
    errorCode: error?.turnkeyErrorCode,
    reason: error === undefined || route === UNKNOWN_ROUTE ? undefined : reasonOf(error.message),
    activityId: watch?.activityId,
    activityStatus: watch?.activityStatus,
    ms: {
      total: rounded(seconds * 1_000),
      body: rounded(watch?.bodyMs ?? 0),
      vault: rounded(watch?.vaultMs ?? 0),
      commit: rounded(watch?.commitMs ?? 0),
      outside: rounded(watch?.outsideMs ?? 0),
    },
  })}\n`
}

/** For a path that the interface does not have. */
export const UNKNOWN_ROUTE = 'none'

/** Only a method of HTTP: a client may send any text. */
export function knownMethod(method: string): string {
  return METHOD.test(method) ? method : 'other'
}

/** Only a value of the right form. */
export function knownTraceparent(text: string | undefined): string | undefined {
  return text !== undefined && TRACEPARENT.test(text) ? text : undefined
}

// W3C Trace Context, 3.2; https://www.w3.org/TR/trace-context/
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const METHOD = /^(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS)$/
const REASON_CHARACTERS_MAX = 300

/**
 * The text of an error without its quotations of the request: names, e-mail addresses, parts of a body. A quotation may
 * contain quotation marks, so the text between the first and the last one is removed, including names of fields,
 * because a field may be invented.
 */
function reasonOf(message: string): string {
  return message.replace(/["`][^]*["`]/, '"…"').slice(0, REASON_CHARACTERS_MAX)
}

/** A trusted proxy may pass on a client's text in X-Forwarded-For; only an address is shown, without its zone. */
function addressIn(clientAddress: string): string {
  const address = clientAddress.replace(/%.*$/s, '')
  return isIP(address) === 0 ? 'other' : address
}

/** To microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
