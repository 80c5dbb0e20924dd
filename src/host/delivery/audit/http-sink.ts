import { utf8 } from '../../../trusted/base/bytes.ts'
import type { Outbound } from '../../outside/outbound.ts'
import { AUDIT_TIMEOUT_MS, type AuditSink, type AuditTarget } from './audit-sink.ts'

/** A POST of lines of JSON; any answer of 2xx confirms that all of them are stored. */
export function httpSink(
  { url, authorization }: Extract<AuditTarget, { readonly kind: 'http' }>,
  outbound: Outbound,
): AuditSink {
  return async (events) => {
    const { status } = await outbound.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-ndjson',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: utf8(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
      timeoutMs: AUDIT_TIMEOUT_MS,
      responseBytesMax: 0,
      statusOnly: true,
    })
    if (status < 200 || status > 299) throw new Error(`the receiver of the audit stream answered ${status}`)
  }
}
