import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestService } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'

/**
 * Hands on what it gets, stamped by the root user as any client would have to: what calls it needs to know nothing of
 * stamps.
 */
export async function stampingProxy(
  service: TestService,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      service.world.advance(Math.max(1, Date.now() - service.world.now()))
      const { stampHeaderName, stampHeaderValue } = stampWith(service.root.key, body)
      const { host: _, 'transfer-encoding': __, ...headers } = request.headers
      const handedOn = send(
        `${service.baseUrl}${request.url ?? '/'}`,
        {
          method: request.method ?? 'POST',
          headers: { ...headers, 'content-length': body.length, [stampHeaderName]: stampHeaderValue },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        },
      )
      handedOn.on('error', () => response.destroy())
      handedOn.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
