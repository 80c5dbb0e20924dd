import { activities } from '../../../trusted/activities/list.ts'
import { defineFailure, UNAVAILABLE } from '../../../trusted/base/failure.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { consoleFolder } from '../../app/console-folder.ts'
import { listenOnLoopback } from '../../emulator/assembly.ts'
import { answersFromFolders } from '../../http/file-folder.ts'
import { forThisMachine } from '../../http/for-this-machine.ts'
import { STREAM_PATH } from '../../http/changes/stream-routes.ts'
import type { Call, Route, Sink } from '../../http/route.ts'
import { httpServer } from '../../http/server.ts'
import { queries } from '../../queries/list.ts'
import { boundedBody } from './bounded-body.ts'
import { whyNot } from './why-not.ts'

/** A service that takes longer counts as not answering. */
const ANSWER_WITHIN_MS = 60_000
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

const serviceUnreachable = defineFailure<{ readonly service: string; readonly why: string }>({
  kind: 'serviceUnreachable',
  code: UNAVAILABLE,
  say: ({ service, why }) => `${service} cannot be reached: ${why}`,
})

/**
 * Serves the console of this installation on loopback, and passes its requests on: only operations of the interface,
 * only to that service, with their stamped bytes unchanged. Pages of other origins are refused, under any name of this
 * address: otherwise they could reach a service that only this machine can reach.
 *
 * @param service  an address without a slash at its end
 */
export async function serveConsoleOf(
  service: string,
  port: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const paths = [
    ...activities.map(({ operation }) => `/public/v1/submit/${operation}`),
    ...queries.map(({ operation }) => `/public/v1/query/${operation}`),
  ]
  const files = answersFromFolders([consoleFolder])
  const server = httpServer({
    routes: new Map([
      ...paths.map((path) => [`POST ${path}`, forThisMachine(handingOn(service, path, 'POST'))] as const),
      [`GET ${KEYS}`, forThisMachine(handingOn(service, KEYS, 'GET'))],
      [`POST ${STREAM_PATH}`, forThisMachine(following(service))],
    ]),
    files,
    world: realWorld,
    isTrustedProxy: () => false,
    onBug: (bug) =>
      process.stderr.write(`${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}\n`),
    onAnswered: () => {},
  })
  const listening = new URL(await listenOnLoopback(server, port))
  return {
    url: `http://localhost:${listening.port}${consoleFolder.path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function handingOn(service: string, path: string, method: 'GET' | 'POST'): Route {
  return async ({ body, headers }) => {
    try {
      const answer = await fetch(`${service}${path}`, {
        method,
        ...(method === 'POST' ? { body: Buffer.from(body) } : {}),
        headers: handedOn(headers),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      const text = (await boundedBody(answer, ANSWER_BYTES_MAX)).toString('utf8')
      if (answer.ok) return { kind: 'ok', body: text }
      return { kind: 'error', status: answer.status, error: JSON.parse(text) }
    } catch (error) {
      throw serviceUnreachable({ service, why: whyNot(error) })
    }
  }
}

/** The stream of changes, as long as both ends keep it open. */
function following(service: string): Route {
  return async ({ body, headers }) => {
    const left = new AbortController()
    try {
      const answer = await fetch(`${service}${STREAM_PATH}`, {
        method: 'POST',
        body: Buffer.from(body),
        headers: handedOn(headers),
        redirect: 'error',
        signal: left.signal,
      })
      if (!answer.ok || answer.body === null) {
        const text = (await boundedBody(answer, ANSWER_BYTES_MAX)).toString('utf8')
        return { kind: 'error', status: answer.status, error: JSON.parse(text) }
      }
      const events = answer.body
      return {
        kind: 'ok',
        body: '',
        contentType: 'text/event-stream',
        stream: (sink) => {
          sink.onClosed(() => left.abort())
          void handEvents(events, sink)
        },
      }
    } catch (error) {
      throw serviceUnreachable({ service, why: whyNot(error) })
    }
  }
}

/** Until the service ends it, or no page reads any more. */
async function handEvents(events: ReadableStream<Uint8Array>, sink: Sink): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of events) if (!sink.write(decoder.decode(chunk, { stream: true }))) return
  } catch {
    // The connection to the service is gone: the page opens another stream.
  } finally {
    sink.end()
  }
}

/** The page's requests without a stamp. */
const KEYS = '/public/v1/discovery/keys'
const HANDED_ON = ['content-type', 'x-stamp', 'x-stamp-webauthn', 'x-session']

function handedOn(headers: Call['headers']): [string, string][] {
  return HANDED_ON.flatMap((name) => (headers[name] ?? []).map((value) => [name, value]))
}
