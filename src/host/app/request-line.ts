import { isIP } from 'node:net'
import type { AnsweredCall } from '../http/server.ts'

/**
 * One request as a line of the log: who asked for what, what came of it, and where the time went. Nothing of what was
 * sent stands in it but ids and the address that it came from: neither a body nor a stamp nor a name.
 *
 * @param route  the path of the interface; of a path that is not one, nothing is told
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

/** Of a path that the interface does not have. */
export const UNKNOWN_ROUTE = 'none'

/** Nothing but a method of HTTP: a client may write what it likes. */
export function knownMethod(method: string): string {
  return METHOD.test(method) ? method : 'other'
}

/** Nothing but what has the form. */
export function knownTraceparent(text: string | undefined): string | undefined {
  return text !== undefined && TRACEPARENT.test(text) ? text : undefined
}

// W3C Trace Context, 3.2; https://www.w3.org/TR/trace-context/
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const METHOD = /^(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS)$/
const REASON_CHARACTERS_MAX = 300

/**
 * The text of an error, without what it quotes of the request: names, e-mail addresses, pieces of a body. What is
 * quoted may have quotation marks of its own, so all between the first and the last goes, names of fields included:
 * a field may have been made up.
 */
function reasonOf(message: string): string {
  return message.replace(/["`][^]*["`]/, '"…"').slice(0, REASON_CHARACTERS_MAX)
}

/**
 * A proxy that is trusted may pass on what a client wrote into X-Forwarded-For; only an address is told, without its
 * zone.
 */
function addressIn(clientAddress: string): string {
  const address = clientAddress.replace(/%.*$/s, '')
  return isIP(address) === 0 ? 'other' : address
}

/** To microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
