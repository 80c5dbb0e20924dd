import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModuleGraph } from './module-graph.ts'

/** A page of one script, and the modules that it imports. */
export type PageServer = {
  /** `http://localhost:<port>`: a secure context, as browsers count it. */
  readonly origin: string
  readonly close: () => Promise<void>
}

/** @param script  a module that may import what the graph was made of */
export async function pageServer({ importMap, files }: ModuleGraph, script: string): Promise<PageServer> {
  const html = `<!doctype html>
<title>Published packages</title>
<script type="importmap">${importMap}</script>
<script type="module">
${script}
globalThis.isReady = true
</script>
`
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = files.get(path)
    if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    else if (file !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
    else response.writeHead(404).end()
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
