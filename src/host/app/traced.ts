import type { CarryParts } from '../delivery/attempt-job.ts'
import type { AnsweredCall } from '../http/server.ts'
import { AUDIT } from '../store/audit-target.ts'
import { knownMethod, knownTraceparent } from './request-line.ts'
import type { Traced } from './tracing.ts'

/**
 * A request as a span, with one span for each call to the vault, the store and the outside. Its ids lead to the log of
 * requests and to the records; it contains no name, no client address and no part of a body.
 *
 * @param now  the time of the answer
 */
export function tracedRequest(call: AnsweredCall, route: string, now: number): Traced {
  const { startedAt, seconds, status, error, watch } = call
  const method = knownMethod(call.method)
  const from = now - seconds * 1_000
  const stages = watch?.stages ?? []
  return {
    name: `${method} ${route}`,
    kind: 'request',
    traceparent: knownTraceparent(call.traceparent),
    from,
    to: now,
    isError: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...(error === undefined ? {} : { 'error.type': error.turnkeyErrorCode ?? String(error.code) }),
      ...given('claviger.request.id', watch?.id),
      ...given('claviger.organization.id', watch?.organizationId),
      ...given('claviger.activity.id', watch?.activityId),
      ...given('claviger.activity.status', watch?.activityStatus),
    },
    stages: stages.map((stage) => ({
      name: stage.name,
      from: from + stage.from - startedAt,
      to: from + stage.to - startedAt,
    })),
  }
}

/** An attempt at a delivery as a span; it has a trace of its own, because the job may be days old. */
export function tracedDelivery(
  { job, ending, seconds }: Parameters<CarryParts['onEnded']>[0],
  now: number,
): Traced {
  const webhook = job.kind === 'webhook' ? job.webhook : undefined
  const kind = webhook?.scope === AUDIT.scope ? 'audit' : job.kind
  return {
    name: `deliver ${kind}`,
    kind: 'delivery',
    from: now - seconds * 1_000,
    to: now,
    isError: ending !== 'delivered' && ending !== 'dropped',
    attributes: {
      'claviger.delivery.kind': kind,
      'claviger.delivery.ending': ending,
      'claviger.delivery.attempt': job.attempts + 1,
      ...given('claviger.organization.id', webhook?.organizationId),
      ...given('claviger.activity.id', webhook?.activityId),
    },
    stages: [],
  }
}

function given(name: string, value: string | undefined) {
  return value === undefined ? {} : { [name]: value }
}
