import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { DeliveryError } from './delivery-error.ts'
import { openOutbound } from '../outside/outbound.ts'
import { twilio } from './twilio.ts'
import { endlessTimers } from '../outside/testing/timers.ts'

const ACCOUNT = 'AC00000000000000000000000000000001'

const NOW = Date.UTC(2026, 10, 30)

type Seen = { readonly request: IncomingMessage; readonly form: URLSearchParams }

/** Answers as the documentation of Twilio's Messages resource has it: 201 with the message, else its error body. */
async function provider(
  context: TestContext,
  answer: { status: number; code?: number; retryAfter?: string } = { status: 201 },
) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    seen.push({ request, form: new URLSearchParams(Buffer.concat(await request.toArray()).toString()) })
    const body =
      answer.status === 201
        ? { sid: 'SM00000000000000000000000000000001', status: 'queued', error_code: null }
        : { code: answer.code, message: "The 'To' number +14155550100 is not valid.", status: answer.status }
    if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter)
    response.sendDate = false
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
  context.after(() => {
    outbound.close()
    server.close()
  })
  // A TCP server that listens has an address and a port.
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const texts = (from = '+14155550199') =>
    twilio({ outbound, accountSid: ACCOUNT, authToken: 'to:ken', from, baseUrl, now: () => NOW })
  return { seen, texts, server }
}

const message = { to: '+14155550100', text: 'Shop & Söhne: code=1+2%\n&To=+1', reference: 'message-1' }

const failsAs = (kind: 'permanent' | 'temporary') => (error: unknown) => {
  assert.ok(error instanceof DeliveryError, String(error))
  assert.equal(error.kind, kind, error.message)
  assert.doesNotMatch(error.message, /4155550100|to:ken/)
  return true
}

test('a text message is one form-encoded POST to the account', async (context) => {
  const { seen, texts } = await provider(context)

  await texts().send(message)

  const [only] = seen
  assert.ok(only && seen.length === 1)
  assert.equal(only.request.method, 'POST')
  assert.equal(only.request.url, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`)
  assert.equal(only.request.headers['content-type'], 'application/x-www-form-urlencoded')
  const authorization = `Basic ${Buffer.from(`${ACCOUNT}:to:ken`).toString('base64')}`
  assert.equal(only.request.headers.authorization, authorization)
  assert.deepEqual(
    [...only.form],
    [
      ['To', message.to],
      ['From', '+14155550199'],
      ['Body', message.text],
    ],
  )
})

test('a messaging service stands in for a number', async (context) => {
  const { seen, texts } = await provider(context)
  await texts('MG00000000000000000000000000000001').send(message)
  assert.deepEqual([...(seen[0]?.form.keys() ?? [])], ['To', 'MessagingServiceSid', 'Body'])
})

test('what is wrong with the message is permanent; what can be mended or passes is temporary', async (context) => {
  const cases = [
    [400, 21211, 'permanent'],
    [400, 21610, 'permanent'],
    [404, 20404, 'permanent'],
    [401, 20003, 'temporary'],
    [403, 20005, 'temporary'],
    [429, 20429, 'temporary'],
    [500, 20500, 'temporary'],
    [503, 20503, 'temporary'],
    [302, 0, 'temporary'],
  ] as const
  for (const [status, code, kind] of cases) {
    const { texts } = await provider(context, { status, code })
    await assert.rejects(texts().send(message), (error: Error) => {
      assert.ok(error.message.includes(`${status} (${code})`), error.message)
      return failsAs(kind)(error)
    })
  }
})

test('a provider that has too much to do says when it takes messages again', async (context) => {
  for (const [status, retryAfter, wait] of [
    [429, '30', 30_000],
    [503, new Date(NOW + 45_000).toUTCString(), 45_000],
    [503, '86400', 3_600_000],
    [429, 'soon', undefined],
    [429, undefined, undefined],
  ] as const) {
    const { texts } = await provider(context, {
      status,
      code: 20429,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
    await assert.rejects(texts().send(message), (error: unknown) => {
      assert.ok(error instanceof DeliveryError)
      assert.equal(error.retryAfterMs, wait)
      return failsAs('temporary')(error)
    })
  }
})

test('a provider that is not there is temporary', async (context) => {
  const { texts, server } = await provider(context)
  server.close()
  await once(server, 'close')
  await assert.rejects(texts().send(message), failsAs('temporary'))
})

test('what is not a phone number is not sent to', async (context) => {
  const { seen, texts } = await provider(context)
  for (const to of [
    '',
    '4155550100',
    '+0155550100',
    '+1415555010012345',
    'whatsapp:+14155550100',
    '+1415\n',
    '+1 415',
  ])
    await assert.rejects(texts().send({ ...message, to }), failsAs('permanent'), to)
  assert.equal(seen.length, 0)
})
