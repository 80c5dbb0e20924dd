import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { TracingPackage } from '../../../src/host/app/tracing.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { served, type ServiceRequest } from '../../../test/support/key-services/served.ts'
import { anOtlpReceiver } from '../../../test/support/otlp-receiver.ts'
import { tracing } from '../src/opentelemetry.ts'

const loaded: TracingPackage = { tracing }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const request = {
  name: 'POST /public/v1/submit/create_users',
  kind: 'request',
  from: 1_700_000_000_000,
  to: 1_700_000_000_020,
  isError: false,
  attributes: { 'http.response.status_code': 200 },
  stages: [{ name: 'vault', from: 1_700_000_000_001.5, to: 1_700_000_000_004 }],
} as const

test('a request is a span of the trace that it came with, with its stages as children and their times', async (t) => {
  const { url, spans, wrong } = await anOtlpReceiver(t)
  const traces = loaded.tracing({ url, version: '1', onTold: assert.fail })
  traces.note({ ...request, traceparent: `00-${TRACE}-b7ad6b7169203331-01` })
  traces.note({ ...request, kind: 'delivery', isError: true, stages: [] })
  await traces.close()
  assert.deepEqual(wrong, [])
  const [vault, whole, delivery] = spans
  assert.deepEqual([spans.length, vault?.name, whole?.name], [3, 'vault', request.name])
  assert.deepEqual([whole?.traceId, whole?.parentSpanId], [TRACE, 'b7ad6b7169203331'])
  assert.deepEqual([vault?.traceId, vault?.parentSpanId], [TRACE, whole?.spanId])
  assert.deepEqual(
    [whole?.startTimeUnixNano, whole?.endTimeUnixNano, vault?.startTimeUnixNano, vault?.endTimeUnixNano],
    ['1700000000000000000', '1700000000020000000', '1700000000001500000', '1700000000004000000'],
  )
  // SERVER, CLIENT, PRODUCER; ERROR.
  assert.deepEqual([whole?.kind, vault?.kind, delivery?.kind, delivery?.status.code], [2, 3, 4, 2])
  assert.notEqual(delivery?.traceId, TRACE)
})

test('a trace that its caller does not record is not recorded, and one of zeros is none', async (t) => {
  const { url, spans } = await anOtlpReceiver(t)
  const traces = loaded.tracing({ url, version: '1', onTold: assert.fail })
  traces.note({ ...request, traceparent: `00-${TRACE}-b7ad6b7169203331-00` })
  traces.note({ ...request, traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, stages: [] })
  await traces.close()
  assert.equal(spans.length, 1)
  assert.notEqual(spans[0]?.traceId, '0'.repeat(32))
  assert.equal(spans[0]?.parentSpanId ?? '', '')
})

test('the variables that the page about monitoring names have their effect, and no others', async (t) => {
  const asked: ServiceRequest[] = []
  const url = await served(t, (one) => {
    asked.push(one)
    return { status: 200, body: {} }
  })
  const variables = {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_TRACES_SAMPLER: 'always_off',
    OTEL_SDK_DISABLED: 'true',
    OTEL_RESOURCE_ATTRIBUTES: 'host.name=secret-host',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  }
  t.after(() => Object.keys(variables).forEach((name) => delete process.env[name]))
  Object.assign(process.env, variables)
  const traces = loaded.tracing({ url: `${url}/v1/traces`, version: '1', onTold: assert.fail })
  traces.note(request)
  await traces.close()
  const [sent] = asked
  assert.equal(asked.length, 1)
  assert.equal(sent?.headers['authorization'], 'Bearer token')
  const body = gunzipSync(sent?.bytes ?? '').toString()
  assert.match(body, /create_users/)
  assert.ok(!body.includes('secret-host'))
})

test('a collector that fails is told of once, holds nobody up, and gets no more than the queue holds', async (t) => {
  let isFailing = true
  const receiver = await anOtlpReceiver(t, () => (isFailing ? { status: 400, body: {} } : undefined))
  const told: string[] = []
  const traces = tracing({ url: receiver.url, version: '1', onTold: (how) => told.push(how), queueMax: 10 })
  for (let count = 0; count < 10; count++) traces.note({ ...request, stages: [] })
  await eventually(() => told.length === 1)
  assert.deepEqual(told, ['fails'])
  isFailing = false
  // All in one turn of the event loop, in which nothing can be sent.
  for (let count = 0; count < 1_000; count++) traces.note({ ...request, stages: [] })
  await traces.close()
  assert.deepEqual(told, ['fails', 'recovered'])
  assert.ok(receiver.spans.length >= 10 && receiver.spans.length <= 20, String(receiver.spans.length))
})
