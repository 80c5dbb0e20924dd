import { createSocket } from 'node:dgram'
import { once } from 'node:events'

type NameServer = {
  /** `address:port`, as resolvers take it. */
  readonly address: string
  /** Every question, such as `A hooks.test`, in the order in which they came. */
  readonly asked: readonly string[]
  readonly stop: () => void
}

const TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])

/**
 * A name server over UDP on loopback that knows IPv4 addresses (RFC 1035, section 4).
 *
 * @param answer  the IPv4 addresses of a name at this moment; undefined to stay silent
 */
export async function nameServer(
  answer: (name: string) => readonly string[] | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query)
    asked.push(`${TYPES.get(type) ?? type} ${name}`)
    const addresses = answer(name)
    if (addresses === undefined) return
    const records = type === 1 ? addresses.map(record) : []
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked, stop: () => socket.close() }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Name as in the question, type A, class IN, time to live 0. */
function record(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
}
