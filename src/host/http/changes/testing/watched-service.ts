import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  aService,
  type JsonAnswer,
  type Member,
  type TestService,
} from '../../../../../test/support/service.ts'
import { stampWith } from '../../../../../test/support/stamper.ts'
import { present } from '../../../../trusted/base/assert.ts'
import { until } from '../../../outside/testing/timers.ts'
import type { Timers } from '../../../outside/timers.ts'
import { STREAM_PATH } from '../stream-routes.ts'

type Event = { readonly event: string; readonly id: string | undefined; readonly data: JsonAnswer }
type Stream = {
  readonly next: () => Promise<Event | undefined>
  readonly close: () => Promise<void>
}

/**
 * `looked` has what may have changed looked for, after so much time, and waits until that is over. The clock shows the
 * same time later unless it is set otherwise.
 */
export async function aWatchedService(t: TestContext, options: Parameters<typeof aService>[0] = {}) {
  let passed = 0
  const set = new Set<{ readonly at: number; readonly isLook: boolean; readonly run: () => void }>()
  const timers: Timers = {
    after: (ms, run) => {
      const timer = { at: passed + ms, isLook: ms <= 1_000, run }
      set.add(timer)
      return () => set.delete(timer)
    },
  }
  const service: TestService = await aService({ ...options, timers })
  t.after(service.close)
  const isSet = () => [...set].some(({ isLook }) => isLook)
  const looked = async (ms = 1_000, clock = ms): Promise<void> => {
    await until(isSet, 'a look is planned')
    passed += ms
    service.world.advance(clock)
    for (const timer of [...set]) if (timer.at <= passed && set.delete(timer)) timer.run()
    await until(isSet, 'the look is over')
  }
  return { service, looked }
}

export async function watch(
  service: TestService,
  by: Pick<Member, 'key' | 'organizationId'>,
  more: {
    readonly organizationId?: string
    readonly after?: string | undefined
    readonly session?: string
  } = {},
): Promise<{ readonly status: number; readonly text?: string; readonly stream: Stream }> {
  const { organizationId = by.organizationId, after, session } = more
  const body = JSON.stringify({ organizationId, ...(after === undefined ? {} : { after }) })
  const { stampHeaderName, stampHeaderValue } = stampWith(by.key, Buffer.from(body))
  const headers = session === undefined ? { [stampHeaderName]: stampHeaderValue } : { 'x-session': session }
  const response = await fetch(`${service.baseUrl}${STREAM_PATH}`, { method: 'POST', body, headers })
  const stream = streamOf(present(response.body, 'a body'))
  if (response.status !== 200) return { status: response.status, stream }
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  return { status: 200, stream }
}

function streamOf(body: ReadableStream<Uint8Array>): Stream {
  const reader = body.getReader()
  let text = ''
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const event = field('event')
        // A comment.
        if (event === undefined) continue
        return { event, id: field('id'), data: JSON.parse(field('data') ?? 'null') }
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += Buffer.from(value).toString('utf8')
    }
  }
  return { next, close: () => reader.cancel() }
}
