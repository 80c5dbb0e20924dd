// A receiver of webhooks in a process of its own, which writes down what it gets:
//   node webhook-receiver.ts <port> <file>
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port = '0', file = ''] = process.argv.slice(2)
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const line = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    // On the disk first: what was acknowledged must not be lost with this process.
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    response.end()
  })
})
server.listen(Number(port), '127.0.0.1', () => {
  // A TCP server that listens has an address with a port.
  const address = server.address() as { readonly port: number }
  process.stdout.write(`listening ${address.port}\n`)
})
