import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came to a receiver of webhooks, as it came. */
export type Received = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }

type Receiver = {
  readonly url: string
  /** The next that came, in order, once it has. */
  readonly next: () => Promise<Received>
  readonly close: () => void
}

/** A receiver on this machine, which answers that it has it. */
export async function aReceiver(): Promise<Receiver> {
  const came: Received[] = []
  const waiting: ((received: Received) => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const item = { headers: request.headers, body: Buffer.concat(chunks) }
      const first = waiting.shift()
      if (first === undefined) came.push(item)
      else first(item)
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    next: () => {
      const item = came.shift()
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
