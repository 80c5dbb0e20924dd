import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A request to a key service, whole. */
export type ServiceRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export type ServiceAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Written as JSON unless it is a text; undefined ends the connection without an answer. */
  readonly body?: unknown
}

/** Instead of the answer of the service: an answer, none for ever, or the end of the connection. */
export type Instead = ServiceAnswer | 'hang' | 'end'

/** A server on loopback, with TLS where a certificate is given: its address without a path. */
export async function served(
  t: TestContext,
  answer: (request: ServiceRequest) => Instead | Promise<Instead>,
  tls?: { readonly key: string; readonly cert: string },
): Promise<string> {
  const listener: RequestListener = (request, response) => void answered(request, response, answer)
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  // It listens on a port, and not on a pipe.
  const { port } = server.address() as AddressInfo
  return tls === undefined ? `http://127.0.0.1:${port}` : `https://127.0.0.1:${port}`
}

async function answered(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: ServiceRequest) => Instead | Promise<Instead>,
): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString('utf8')
  const { method = '', url = '', headers, rawHeaders } = request
  const how = await answer({ method, path: url, headers, rawHeaders, body })
  if (how === 'hang') return
  if (how === 'end') {
    response.destroy()
    return
  }
  response.writeHead(how.status, { 'Content-Type': 'application/json', ...how.headers })
  response.end(typeof how.body === 'string' ? how.body : JSON.stringify(how.body ?? {}))
}
