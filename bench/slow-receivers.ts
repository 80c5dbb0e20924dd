// Endpoints that take their time, in a process of its own: node slow-receivers.ts <count> <delay in ms>
import { once } from 'node:events'
import { createServer } from 'node:http'

const [count = '1', delayMs = '1000'] = process.argv.slice(2)
const ports: number[] = []
for (let index = 0; index < Number(count); index++) {
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.end(), Number(delayMs))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an address with a port.
  ports.push((server.address() as { readonly port: number }).port)
}
process.send?.({ ports })
