import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  defineFailure,
  Failure,
  httpStatusByCode,
  type ErrorBody,
  INTERNAL,
  INVALID_ARGUMENT,
  UNAVAILABLE,
} from '../../trusted/base/failure.ts'
import { newId } from '../../trusted/base/ids.ts'
import type { World } from '../../trusted/base/world.ts'
import { networkOf } from './address-network.ts'
import { BodyRoom } from './body-room.ts'
import { clientAddressOf } from './client-address.ts'
import { type BodyTurns, bodyTurns } from './body-turns.ts'
import { errorAnswer } from './error-answer.ts'
import type { FileAnswer, FileRequest } from './file-folder.ts'
import { readBody } from './read-body.ts'
import type { Answer, Route, Sink } from './route.ts'
import { unrouted } from './unrouted.ts'
import { nextTurn } from '../pipeline/next-turn.ts'
import { type Part, partInOutage } from '../pipeline/part-in-outage.ts'
import { newWatch, type Watch } from '../pipeline/watch.ts'
import type { StampHeaders } from '../../protocol/vault.ts'

type ServerParts = {
  /** By method and path: `POST /public/v1/submit/create_users`. */
  readonly routes: ReadonlyMap<string, Route>
  /** Files at paths without a route; the result is undefined where there is none. */
  readonly files?: ((request: FileRequest) => Promise<FileAnswer> | undefined) | undefined
  readonly world: World
  /** Whether a proxy at this address is trusted to report the source address. */
  readonly isTrustedProxy: (address: string) => boolean
  /** Called when a request has a forwarding header. */
  readonly onForwarded?: (() => void) | undefined
  /** Whether this is the end: every answer is the last of its connection. */
  readonly isDraining?: () => boolean
  /** A temporary outage; the caller was told to retry. */
  readonly onOutage?: (part: Part, error: unknown) => void
  /** A bug, with the incident id in the caller's answer. */
  readonly onBug: (bug: unknown, incidentId: string) => void
  readonly onAnswered: (call: AnsweredCall) => void
  /** Whether what happens to each request is noted, for `onAnswered`; each answer then names its request. */
  readonly watches?: boolean
  /** Whether each of its calls to the vault, the store and the outside is noted too. */
  readonly tellsStages?: boolean
  /** The room for bodies and answers, where several servers of a process share it. */
  readonly bodies?: Bodies
}

export type AnsweredCall = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** By `performance.now()`. */
  readonly startedAt: number
  readonly seconds: number
  readonly error: ErrorBody | undefined
  readonly traceparent: string | undefined
  readonly clientAddress: string
  readonly watch: Watch | undefined
}

const BODY_BYTES_MAX = 1024 * 1024
/** Of all requests that are not answered yet. */
const BODIES_BYTES_MAX = 128 * 1024 * 1024
/** Of all answers that are not read yet, in characters: two of the longest. */
const ANSWERS_MAX = 288 * 1024 * 1024
/** Shorter answers are not counted: they fit into the buffers of a connection. */
const LONG_ANSWER = 64 * 1024

/** The room in which bodies arrive, the turns in which long ones are read, and the room in which answers leave. */
type Bodies = { readonly room: BodyRoom; readonly turns: BodyTurns; readonly unread: BodyRoom }

const REQUEST_ID_HEADER = 'x-request-id'

/** By its fingerprint a request takes effect once, however often it is sent. */
const unavailable = defineFailure({
  kind: 'unavailable',
  code: UNAVAILABLE,
  say: () =>
    'the service cannot answer for the moment; the same request may be sent again, byte for byte: it takes effect once at most',
})

const compressedBody = defineFailure<{ readonly encoding: string }>({
  kind: 'compressedBody',
  code: INVALID_ARGUMENT,
  say: ({ encoding }) =>
    `bad request body: content encoding ${JSON.stringify(encoding.slice(0, 40))} is not accepted; send the JSON as it is`,
})

/** A server before this one may have used the other header. */
const severalHosts = defineFailure({
  kind: 'severalHosts',
  code: INVALID_ARGUMENT,
  say: () => 'bad request: there is more than one Host header; send one',
})

export function newBodies(): Bodies {
  return {
    turns: bodyTurns(nextTurn),
    room: new BodyRoom(BODIES_BYTES_MAX, { leavesRoom: true }),
    unread: new BodyRoom(ANSWERS_MAX, { leavesRoom: false }),
  }
}

/** The sockets: exact bytes in, one lookup, one answer out. Nothing is decided here. */
export function httpServer(parts: ServerParts): Server {
  const { bodies = newBodies() } = parts
  const server = createServer(
    {
      keepAliveTimeout: 75_000,
      headersTimeout: 20_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      respond(parts, bodies, isLast, request, response).catch((bug: unknown) => {
        // An error after the start of an answer ends only this connection.
        response.destroy()
        parts.onBug(bug, newId(parts.world))
      })
    },
  )
  // After the last answer a connection would be kept for the next request, and hold up the end of a drain.
  const isLast = (): boolean => !server.listening || parts.isDraining?.() === true
  // Their bytes are bounded. Some versions of Node drop the headers above a count without a word, and the last of
  // X-Forwarded-For is the one that counts.
  server.maxHeadersCount = 0
  return server
}

async function respond(
  parts: ServerParts,
  bodies: Bodies,
  isLast: () => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now()
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const watch =
    parts.watches === true
      ? newWatch(newId(parts.world), { tellsStages: parts.tellsStages === true })
      : undefined
  if (watch !== undefined) response.setHeader(REQUEST_ID_HEADER, watch.id)
  const clientAddress = clientAddressOf(request, parts.isTrustedProxy)
  let answer = await answered(parts, bodies, { request, response, path, clientAddress, watch, startedAt })
  let status: number
  try {
    status = send(answer, isLast, request, response)
  } catch (bug) {
    if (response.headersSent) throw bug
    answer = bugAnswer(parts, bug)
    status = send(answer, isLast, request, response)
  }
  countUntilRead(bodies.unread, networkOf(clientAddress), request, response)
  const { traceparent } = request.headers
  parts.onAnswered({
    method: request.method ?? '',
    path,
    status,
    startedAt,
    seconds: (performance.now() - startedAt) / 1000,
    error: answer.kind === 'error' ? answer.error : undefined,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    clientAddress,
    watch,
  })
}

function send(
  answer: Answer | FileAnswer,
  isLast: () => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): number {
  if (answer.kind === 'file') return sendFile(answer, isLast, request, response)
  const status = answer.kind === 'ok' ? 200 : (answer.status ?? httpStatusByCode[answer.error.code])
  const body = answer.kind === 'ok' ? answer.body : JSON.stringify(answer.error)
  const cors = answer.cors ?? corsHeaders
  if (request.method === 'OPTIONS') {
    const connection = isLast() ? { connection: 'close' } : {}
    response.writeHead(204, { ...cors, 'access-control-max-age': '86400', ...connection }).end()
  } else {
    const headers: Record<string, string | number> = {
      ...cors,
      ...answer.headers,
      'content-type': answer.kind === 'ok' ? (answer.contentType ?? 'application/json') : 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': cacheControlOf(answer),
    }
    if (answer.kind === 'ok' && answer.stream !== undefined && request.method === 'POST') {
      const { 'content-length': _, ...open } = headers
      response.writeHead(status, open)
      response.flushHeaders()
      answer.stream(sinkOf(response))
      return status
    }
    // The unread rest of a refused body would be parsed as the next request.
    if (!request.complete || isLast()) headers['connection'] = 'close'
    response.writeHead(status, headers).end(body)
    awaitReader(request)
  }
  return status
}

function sendFile(
  { status, headers, body }: FileAnswer,
  isLast: () => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): number {
  // What has no body has no length either: of 304 the length would be that of the file.
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length }
  const connection = !request.complete || isLast() ? { connection: 'close' } : {}
  response.writeHead(status, { ...headers, ...length, ...connection }).end(body)
  awaitReader(request)
  return status
}

/** An answer is kept in memory until its client has read it. */
const UNREAD_MS = 30_000

/**
 * Closes the connection of a client that has read nothing of its answer for this time; Node counts anew with the next
 * request.
 */
function awaitReader({ socket }: IncomingMessage): void {
  socket.setTimeout(UNREAD_MS)
}

/** Above the bound on all answers, a client that has not read its own loses its connection. */
function countUntilRead(
  unread: BodyRoom,
  network: string,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const { writableLength } = response
  if (writableLength < LONG_ANSWER || response.closed || socket.destroyed) return
  const answer = unread.begin(network, () => socket.destroy())
  // An answer that waits behind another one is closed with their connection too.
  response.once('close', () => unread.leave(answer))
  unread.grow(answer, writableLength)
}

/** A reader that is this far behind reads no more. */
const UNREAD_BYTES_MAX = 256 * 1024

function sinkOf(response: ServerResponse): Sink {
  return {
    write: (text) => {
      if (response.destroyed || response.writableEnded) return false
      response.write(text)
      if (response.writableLength <= UNREAD_BYTES_MAX) return true
      response.destroy()
      return false
    },
    end: () => response.end(),
    onClosed: (closed) => {
      if (response.closed) closed()
      else response.once('close', closed)
    },
  }
}

function cacheControlOf(answer: Answer): string {
  if (answer.kind !== 'ok') return 'no-store'
  const { cacheControl, maxAgeSeconds } = answer
  return cacheControl ?? (maxAgeSeconds === undefined ? 'no-store' : `public, max-age=${maxAgeSeconds}`)
}

async function answered(
  parts: ServerParts,
  { room, turns }: Bodies,
  {
    request,
    response,
    path,
    clientAddress,
    watch,
    startedAt,
  }: {
    readonly request: IncomingMessage
    readonly response: ServerResponse
    readonly path: string
    readonly clientAddress: string
    readonly watch: Watch | undefined
    readonly startedAt: number
  },
): Promise<Answer | FileAnswer> {
  const method = request.method ?? ''
  // The body of an answer to HEAD is left away by the socket.
  const route = parts.routes.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
  try {
    const { headersDistinct: headers } = request
    const file = route === undefined ? parts.files?.({ method, path, clientAddress, headers }) : undefined
    if (file !== undefined) return await file
    if (method === 'OPTIONS' && route === undefined) return { kind: 'ok', body: '' }
    if ((headers['host'] ?? []).length > 1) throw severalHosts()
    if (route === undefined) return unrouted(parts.routes, { method, path })
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw compressedBody({ encoding })
    const network = networkOf(clientAddress)
    const { bytes: body, leave } = await readBody(request, { bytesMax: BODY_BYTES_MAX, room, turns, network })
    try {
      if (headers['x-forwarded-for'] !== undefined) parts.onForwarded?.()
      await turns.parse(body, clientAddress)
      if (watch !== undefined) watch.bodyMs = performance.now() - startedAt
      const isGone = (): boolean => response.destroyed
      return await route({ body, stamp: stampHeaders(headers), clientAddress, headers, watch, isGone })
    } finally {
      leave()
    }
  } catch (error) {
    if (error instanceof Failure) return errorAnswer(error)
    const part = partInOutage(error)
    if (part === undefined) return bugAnswer(parts, error)
    parts.onOutage?.(part, error)
    return errorAnswer(unavailable())
  }
}

function bugAnswer(parts: ServerParts, bug: unknown): Answer {
  const incidentId = newId(parts.world)
  parts.onBug(bug, incidentId)
  return {
    kind: 'error',
    error: { code: INTERNAL, message: `internal server error (${incidentId})`, details: [] },
  }
}

function stampHeaders(headers: IncomingMessage['headersDistinct']): StampHeaders {
  // A header sent twice is joined, and then reads as no stamp at all.
  const sent = (name: string): string | undefined => headers[name]?.join(',')
  const [xStamp, xStampWebauthn, xStampAttested, xSession] = STAMP_HEADERS.map(sent)
  return {
    ...(xStamp === undefined ? {} : { xStamp }),
    ...(xStampWebauthn === undefined ? {} : { xStampWebauthn }),
    ...(xStampAttested === undefined ? {} : { xStampAttested }),
    ...(xSession === undefined ? {} : { xSession }),
  }
}

const STAMP_HEADERS = ['x-stamp', 'x-stamp-webauthn', 'x-stamp-attested', 'x-session'] as const

/** Any page may call: only the stamp authenticates a request, never data that a browser adds. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers':
    'content-type, x-stamp, x-stamp-webauthn, x-stamp-attested, x-session, x-client-version',
} as const
