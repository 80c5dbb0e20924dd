import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as a client wrote it; the body is its exact text. */
type Sent = { readonly path: string; readonly body: string }

/** A server that keeps what it is sent, and answers each request with a refusal that every client reads. */
export async function aRecorder(): Promise<{
  readonly url: string
  readonly sent: readonly Sent[]
  readonly close: () => void
}> {
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      sent.push({ path: request.url ?? '', body: body.toString('utf8') })
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 3, message: 'recorded', details: [], turnkeyErrorCode: '' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
