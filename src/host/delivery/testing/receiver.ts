import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { freePort } from '../../../../test/support/free-port.ts'
import { testCertificate } from '../../outside/testing/certificate.ts'

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The event according to its id: activity and revision. */
  readonly eventId: string
}

export type Receiver = {
  /** The address with the name in the test certificate. */
  readonly url: string
  readonly received: readonly Received[]
  /** Behaves as if its process had been killed: connections break, and the port is closed. */
  readonly kill: () => Promise<void>
  /** On the same port. */
  readonly restart: () => Promise<void>
}

/** A receiver of webhooks, over TLS on loopback. It answers 200 by default. */
export async function receiver(
  respond: (response: ServerResponse, received: Received) => void = (response) => response.end(),
): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Duplex>()
  const open = () => {
    const server = createServer(testCertificate, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { headers, url = '' } = request
        const eventId = String(headers['x-turnkey-event-id'])
        const item = { path: url, headers, body: Buffer.concat(chunks), eventId }
        received.push(item)
        respond(response, item)
      })
    })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    return server
  }
  let server = open()
  // Not one that the system may give to somebody else while the receiver is down.
  const port = await freePort()
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen()
  return {
    url: `https://hooks.test:${port}/`,
    received,
    kill: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    restart: async () => {
      server = open()
      await listen()
    },
  }
}
