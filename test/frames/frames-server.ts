import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { frameFolders } from '../../src/host/app/frame-folders.ts'
import { answersFromFolders } from '../../src/host/http/file-folder.ts'

type FramesServer = { readonly origin: string; readonly close: () => Promise<void> }

/** The frames as the host serves them, on a port of their own, with a signer key of the test. */
export async function framesServer(
  terms: Parameters<typeof frameFolders>[0],
  more: Readonly<Record<string, string>> = {},
): Promise<FramesServer> {
  const answer = answersFromFolders(
    frameFolders(terms).map((folder) => ({ ...folder, headers: { ...folder.headers, ...more } })),
  )
  const server = createServer((request, response) => {
    const asked = answer({
      method: request.method ?? '',
      path: request.url ?? '/',
      clientAddress: '127.0.0.1',
      headers: request.headersDistinct,
    })
    void asked?.then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
    if (asked === undefined) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    // A TCP server that listens has an address with a port.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
