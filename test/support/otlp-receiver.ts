import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Instead, served, type ServiceRequest } from './key-services/served.ts'

/** A span as OTLP writes it in JSON; ids are hexadecimal, times are texts of nanoseconds since 1970. */
type ReceivedSpan = {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

/** A collector for OTLP over HTTP, which keeps what it is sent; what is not of that form is kept in `wrong`. */
export async function anOtlpReceiver(t: TestContext, fault: () => Instead | undefined = () => undefined) {
  const spans: ReceivedSpan[] = []
  const wrong: unknown[] = []
  const bodies: string[] = []
  let exports = 0
  const answer = ({ method, path, headers, body }: ServiceRequest): Instead => {
    exports++
    const instead = fault()
    if (instead !== undefined) return instead
    try {
      assert.deepEqual([method, path], ['POST', '/v1/traces'])
      assert.equal(headers['content-type'], 'application/json')
      const { resourceSpans } = JSON.parse(body)
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      bodies.push(body)
    } catch (error) {
      wrong.push(error)
    }
    return { status: 200, body: {} }
  }
  const url = `${await served(t, answer)}/v1/traces`
  return { url, spans, wrong, text: () => bodies.join('\n'), exports: () => exports }
}
