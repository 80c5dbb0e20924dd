import { object, optional, organizationIdText, text } from '../../../trusted/catalogue/shape.ts'
import { tenantOf } from '../../../trusted/charter/charter.ts'
import { organizationNotFound } from '../../../trusted/vault/failures.ts'
import { type AnswerRequest, askedIn } from '../../pipeline/answer.ts'
import type { Host } from '../../pipeline/host.ts'
import { signerOf } from '../../pipeline/signer-of.ts'
import { spending } from '../../pipeline/spending.ts'
import { watched } from '../../pipeline/watch.ts'
import { withinLimits } from '../rate-limited.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { Answer, Route } from '../route.ts'
import type { ChangeStreams } from './change-streams.ts'

export const STREAM_PATH = '/public/v1/stream/activities'

export const streamRequest = object({
  organizationId: organizationIdText,
  after: optional(text({ min: 1, max: 64 })),
})

/** The route of the change stream. Like a query, it needs a stamp or a read-only session. */
export function streamRoutes(
  host: Host,
  streams: ChangeStreams,
  limits?: RateLimits,
): ReadonlyMap<string, Route> {
  const route: Route =
    limits === undefined
      ? (call) => opened(host, streams, call)
      : withinLimits(limits, (call, { admit, spend }) =>
          opened(host, streams, {
            ...call,
            spend,
            admit: (organization) => admit({ organization }),
          }),
        )
  return new Map([[`POST ${STREAM_PATH}`, route]])
}

async function opened(service: Host, streams: ChangeStreams, request: AnswerRequest): Promise<Answer> {
  const host = watched(spending(service, request.spend), request.watch)
  const { parsed, organizationId, asked } = askedIn({ request: streamRequest }, request)
  const identified = await signerOf(host, asked, organizationId)
  if (identified.kind === 'refused') return { kind: 'error', error: identified.error }
  const charter = await host.checked.get(organizationId)
  if (charter === undefined || charter.deleted) throw organizationNotFound({ organizationId })
  await host.onRead?.({ organizationId, operation: 'stream_activities', userId: identified.userId })
  const { after } = parsed
  const owner = { userId: identified.userId, organizationId, tenant: tenantOf(charter) }
  const stream = await streams.open({ owner, asked, ...(after === undefined ? {} : { after }) })
  return {
    kind: 'ok',
    body: '',
    contentType: 'text/event-stream',
    // A buffering proxy would never pass on an endless answer.
    headers: { 'x-accel-buffering': 'no' },
    stream,
  }
}
