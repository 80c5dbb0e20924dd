import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import { assert } from '../../trusted/base/assert.ts'
import { checkTarget } from '../../trusted/base/public-address.ts'
import { type CheckedLookup, checkedLookup, type LookupRules } from './checked-lookup.ts'
import { Gathered } from './gathered.ts'
import { OutboundError, outboundError } from './outbound-error.ts'
import { realTimers, type Timers } from './timers.ts'

export type OutboundRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Names in lower case; not those that describe the connection or the length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** For all of it: resolving, connecting, sending, and the last byte of the answer. */
  readonly timeoutMs: number
  readonly responseBytesMax: number
  /** Answers as soon as the headers are there, with an empty body; what follows is not read. */
  readonly statusOnly?: boolean
}

export type OutboundResponse = {
  readonly status: number
  /** Names in lower case; a header that came several times is joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Outbound = {
  /**
   * One request over one connection of its own. A redirection is an answer like any other: it is returned, not
   * followed.
   *
   * @throws OutboundError
   */
  readonly request: (request: OutboundRequest) => Promise<OutboundResponse>
  /** Ends what is under way; those requests fail as `unreachable`. */
  readonly close: () => void
}

export type OutboundOptions = LookupRules & {
  /** PEM; believed instead of the authorities that come with the runtime. */
  readonly certificateAuthorities?: string
  /** A request beyond these fails as `unreachable`; without a bound unless given. */
  readonly connectionsMax?: number
  /** Those of the machine unless given. */
  readonly timers?: Timers
}

const HEADER_BYTES_MAX = 16 * 1024
const TLS_SESSIONS_MAX = 256
/** Of one answer, beside its bytes: each takes time of the thread, and a server can send a million in a second. */
const PROMISES_MAX = 100
const PIECES_MAX = 2_000
const OURS = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
  'expect',
]

/** The client for all requests to addresses that other parties chose. See docs/decisions/outbound.md. */
export function openOutbound(options: OutboundOptions): Outbound {
  const { connectionsMax = Number.POSITIVE_INFINITY } = options
  const names = checkedLookup(options)
  const line: Line = {
    names,
    // No connection outlives its request, so that the address is checked for every request.
    plain: new Agent({ keepAlive: false }),
    tls: new TlsAgent({
      keepAlive: false,
      maxCachedSessions: TLS_SESSIONS_MAX,
      minVersion: 'TLSv1.2',
      ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
    }),
    timers: options.timers ?? realTimers,
  }
  const underWay = new Set<() => void>()
  return {
    request: async (request) => {
      assert(
        !Object.keys(request.headers).some((name) => OURS.includes(name.toLowerCase())),
        'no header of ours',
      )
      const target = checkTarget(request.url, options)
      if (target.kind === 'refused') throw new OutboundError('refusedTarget', `the url ${target.because}`)
      if (underWay.size >= connectionsMax)
        throw new OutboundError('unreachable', 'this host has too many connections')
      return await exchange(request, target.url, line, underWay)
    },
    close: () => {
      for (const end of underWay) end()
      names.cancel()
    },
  }
}

type Line = {
  readonly names: CheckedLookup
  readonly plain: Agent
  readonly tls: TlsAgent
  readonly timers: Timers
}

async function exchange(
  request: OutboundRequest,
  url: URL,
  line: Line,
  underWay: Set<() => void>,
): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
  const outgoing = connect(request, url, line)
  const end = (): void => reject(new OutboundError('unreachable', 'closed by us'))
  const late = (): void => reject(new OutboundError('timeout', `not done within ${request.timeoutMs} ms`))
  const stopTimer = line.timers.after(request.timeoutMs, late)
  underWay.add(end)
  let isAnswering = false
  outgoing.on('error', (error) => reject(isAnswering ? endsTooEarly() : outboundError(error)))
  outgoing.on('close', () => {
    if (!isAnswering) reject(new OutboundError('unreachable', 'closed before an answer'))
  })
  let promises = 0
  outgoing.on('information', () => {
    if (++promises > PROMISES_MAX)
      reject(new OutboundError('badResponse', 'the answer is promised without end'))
  })
  outgoing.on('upgrade', (_answer, socket) => {
    socket.destroy()
    reject(new OutboundError('badResponse', 'the answer changes the protocol'))
  })
  outgoing.on('response', (incoming) => {
    isAnswering = true
    if (request.statusOnly === true) resolve(answered(incoming, new Uint8Array()))
    else readAnswer(incoming, request.responseBytesMax).then(resolve, reject)
  })
  outgoing.end(request.body)
  try {
    return await promise
  } finally {
    stopTimer()
    underWay.delete(end)
    outgoing.destroy()
  }
}

function connect(request: OutboundRequest, url: URL, line: Line): ClientRequest {
  const options = {
    method: request.method,
    headers: { 'user-agent': 'Claviger', ...request.headers, 'accept-encoding': 'identity' },
    lookup: line.names.lookup,
    maxHeaderSize: HEADER_BYTES_MAX,
    insecureHTTPParser: false,
  }
  return url.protocol === 'https:'
    ? httpsRequest(url, { ...options, agent: line.tls })
    : httpRequest(url, { ...options, agent: line.plain })
}

async function readAnswer(incoming: IncomingMessage, bytesMax: number): Promise<OutboundResponse> {
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new OutboundError('badResponse', 'the answer is compressed, which was not asked for')
  const gathered = new Gathered(bytesMax)
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
  let [length, pieces] = [0, 0]
  incoming.on('data', (piece: Buffer) => {
    length += piece.length
    pieces++
    if (length > bytesMax)
      reject(new OutboundError('tooLarge', `the answer is longer than ${bytesMax} bytes`))
    else if (pieces > PIECES_MAX)
      reject(new OutboundError('badResponse', `the answer comes in more than ${PIECES_MAX} pieces`))
    else gathered.add(piece)
  })
  incoming.on('end', () => resolve(answered(incoming, gathered.bytes())))
  incoming.on('error', () => reject(endsTooEarly()))
  return await promise
}

function endsTooEarly(): OutboundError {
  return new OutboundError('badResponse', 'the answer ends too early')
}

function answered(incoming: IncomingMessage, body: Uint8Array): OutboundResponse {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
  )
  return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(headers), body }
}
