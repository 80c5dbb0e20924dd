import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { anOtlpReceiver } from '../support/otlp-receiver.ts'
import { packagesMissing } from '../support/packages-missing.ts'
import { runService, start } from '../support/running-service.ts'
import { stampWith } from '../support/stamper.ts'
import { founder, init, signs } from './founder.ts'

const skip = packagesMissing('opentelemetry')
const TRACE = '0af7651916cd43dd8448eb211c80319c'

test('requests are traced with their calls to the vault and their commits, by ids and without a name', {
  skip,
}, async (t) => {
  const { url, spans, wrong, text } = await anOtlpReceiver(t)
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const service = await runService('serve', {
    dataFolder,
    CLAVIGER_TRACES: url,
  })
  t.after(() => service.kill())
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  const body = JSON.stringify({ organizationId })
  const { stampHeaderName, stampHeaderValue } = stampWith(key, body)
  const headers = { [stampHeaderName]: stampHeaderValue, traceparent: `00-${TRACE}-b7ad6b7169203331-01` }
  const answer = await fetch(`${service.url}/public/v1/query/whoami`, { method: 'POST', body, headers })
  await answer.arrayBuffer()
  await fetch(`${service.url}/a-token-in-a-path`, { method: 'POST', body: '{}' })
  assert.equal(await service.stop(), 0)
  await eventually(() => spans.some(({ name }) => name === 'POST none'))

  assert.deepEqual(wrong, [])
  const signed = spans.find(({ name }) => name === 'POST /public/v1/submit/sign_raw_payload')
  const children = spans.filter(({ parentSpanId }) => parentSpanId === signed?.spanId)
  assert.deepEqual(new Set(children.map(({ name }) => name)), new Set(['vault', 'commit']))
  for (const { startTimeUnixNano, endTimeUnixNano } of children) {
    assert.ok(BigInt(startTimeUnixNano) >= BigInt(signed?.startTimeUnixNano ?? 0))
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
  }
  const traced = spans.find(
    ({ name, traceId }) => name === 'POST /public/v1/query/whoami' && traceId === TRACE,
  )
  assert.equal(traced?.parentSpanId, 'b7ad6b7169203331')
  assert.ok(text().includes(organizationId))
  for (const said of ['Ada', 'Acme', 'Hello', key.publicKey, 'a-token-in', stampHeaderValue, '127.0.0.1'])
    assert.ok(!text().includes(said), said)
})

test('a collector that hangs changes no answer, and holds up neither requests nor the end', {
  skip,
}, async (t) => {
  const { url, exports } = await anOtlpReceiver(t, () => 'hang')
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const service = await runService('serve', {
    dataFolder,
    CLAVIGER_TRACES: url,
  })
  t.after(() => service.kill())
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  await eventually(() => exports() > 0)
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  assert.equal(await service.stop(), 0)
})

test('an address that is none is refused at the start, and not quoted', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const started = start(['bin/claviger.js', 'serve'], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_TRACES: 'grpc://collector?token=secret',
  })
  assert.equal(await started.ended, 1)
  assert.match(started.output(), /CLAVIGER_TRACES is not an address of a collector/)
  assert.ok(!started.output().includes('secret'))
})
