import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { createMcpHandler, type McpServer, readRequestBody } from '@modelcontextprotocol/server'
import { callsUnderWay } from './calls-under-way.ts'

type HttpServer = { readonly url: string; readonly close: () => Promise<void> }

/**
 * The protocol over HTTP, at `/mcp` of a loopback address, for holders of the token.
 *
 * A page in a browser on this machine can send requests here too: by the name of this machine, or by a name of its own
 * that leads to 127.0.0.1 for the moment (DNS rebinding). Its requests carry that name as Host, and where they come
 * from as Origin. Both are looked at before anything else, and then the token, which such a page does not have.
 */
export async function startHttpServer(
  servers: () => McpServer,
  {
    port,
    token,
    onError,
  }: { readonly port: number; readonly token: string; readonly onError: (error: unknown) => void },
): Promise<HttpServer> {
  const handler = createMcpHandler(servers, { maxRequestBodySize: BODY_BYTES_MAX, onerror: onError })
  const hold = callsUnderWay()
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        onError(error)
        response.destroy()
      })
    },
  )
  server.maxConnections = CONNECTIONS_MAX

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = refusalOf(request, { port: portOf(server), token })
    if (refused !== undefined) {
      response.writeHead(refused.status, { 'content-type': 'application/json', connection: 'close' })
      response.end(
        JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: refused.message }, id: null }),
      )
      return
    }
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const asked = webRequest(request, gone.signal)
    const session = headerOf(request, SESSION)
    const { newSession, release } = hold({ session, body: await bodyOf(asked.clone()), gone })
    if (newSession !== undefined) response.setHeader(SESSION, newSession)
    try {
      await write(await handler.fetch(asked), response)
    } finally {
      release()
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    close: async () => {
      await handler.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const SESSION = 'mcp-session-id'

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Nothing where there is no JSON within the bounds: the handler reads the same bytes, and says so. */
async function bodyOf(asked: Request): Promise<unknown> {
  try {
    const read = await readRequestBody(asked, BODY_BYTES_MAX)
    return read.tooLarge ? undefined : JSON.parse(read.text)
  } catch {
    return undefined
  }
}

const BODY_BYTES_MAX = 1024 * 1024
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const CONNECTIONS_MAX = 64

type Refusal = { readonly status: number; readonly message: string }

function refusalOf(
  { url, headers }: IncomingMessage,
  { port, token }: { readonly port: number; readonly token: string },
): Refusal | undefined {
  const names = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`)
  if (!names.includes(headers.host ?? ''))
    return { status: 403, message: `this server is reached as ${names.join(' or ')} and by no other name` }
  const { origin } = headers
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    return { status: 403, message: 'pages of other origins may not ask this server' }
  if (url !== '/mcp') return { status: 404, message: 'there is /mcp here, and nothing else' }
  const [, given = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (!isSame(given, token))
    return {
      status: 401,
      message: 'send the header Authorization: Bearer and the token that this server was started with',
    }
  return undefined
}

/** In a time that does not depend on where the texts differ. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value)
  const { method = 'GET' } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.get('host')}${request.url}`, {
    method,
    headers,
    signal,
    ...(hasBody ? { body: bytesOf(request), duplex: 'half' } : {}),
  })
}

function bytesOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const bytes = request[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await bytes.next()
      if (done === true) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
  })
}

async function write(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) response.end()
  else await pipeline(answer.body, response)
}

function portOf(server: Server): number {
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port
}
