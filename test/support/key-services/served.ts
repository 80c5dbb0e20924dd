import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** A request to a service of a cloud, whole. */
export type ServiceRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly bytes: Uint8Array
  /** The same as UTF-8. */
  readonly body: string
}

export type ServiceAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Written as JSON unless it is a text, or bytes. */
  readonly body?: unknown
}

/** An answer whose body does not end by itself, or breaks off. */
type StreamedAnswer = Pick<ServiceAnswer, 'status' | 'headers'> & {
  readonly stream: AsyncIterable<Uint8Array>
}

/** Instead of the answer of the service: an answer, none for ever, or the end of the connection. */
export type Instead = ServiceAnswer | StreamedAnswer | 'hang' | 'end'

/** A test, or whatever else stops in the end what it has started. */
export type Ending = { readonly after: (stop: () => void) => void }

/** A server on loopback, with TLS where a certificate is given: its address without a path. */
export async function served(
  t: Ending,
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
  const bytes = Buffer.concat(await request.toArray())
  const body = bytes.toString('utf8')
  const { method = '', url = '', headers, rawHeaders } = request
  const how = await answer({ method, path: url, headers, rawHeaders, bytes, body })
  if (how === 'hang') return
  if (how === 'end') {
    response.destroy()
    return
  }
  response.writeHead(how.status, { 'Content-Type': 'application/json', ...how.headers })
  if ('stream' in how)
    return void Readable.from(how.stream)
      .on('error', () => response.destroy())
      .pipe(response)
  const { body: told } = how
  response.end(typeof told === 'string' || told instanceof Uint8Array ? told : JSON.stringify(told ?? {}))
}
