// The load generator, a process of its own: stamps its requests beforehand, waits to be told, sends, and reports.
import { sign } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { present } from '../src/base/assert.ts'
import { apiPrivateKey } from './raw-limits.ts'

export type LoadOrder = {
  readonly port: number
  readonly connections: number
  /** Requests to send as fast as answers come, or, with `perSecond`, at that pace whatever the answers. */
  readonly requests: number
  readonly perSecond?: number
  readonly organizationId: string
  readonly apiPublicKey: string
  readonly apiPrivateKey: string
  readonly signWith: readonly string[]
}

export type LoadReport = {
  readonly seconds: number
  readonly succeeded: number
  readonly failed: number
  readonly firstFailure: string
  readonly p50Ms: number
  readonly p99Ms: number
}

process.once('message', (order: LoadOrder) => {
  const requests = stamped(order)
  process.send?.('ready')
  process.once('message', () => {
    void run(order, requests).then((report) => {
      process.send?.(report, () => process.exit(0))
    })
  })
})

function stamped(order: LoadOrder): readonly Buffer[] {
  const key = apiPrivateKey(Buffer.from(order.apiPrivateKey, 'hex'))
  const now = Date.now() - 60_000
  const run = Math.random().toString(36).slice(2)
  return Array.from({ length: order.requests }, (_, index) => {
    const signWith = present(order.signWith[(index * 7919) % order.signWith.length], 'a key to sign with')
    const body = JSON.stringify({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      // As clients send them: five requests to a millisecond, in order.
      timestampMs: String(now + Math.floor(index / 5)),
      organizationId: order.organizationId,
      parameters: {
        signWith,
        payload: `request ${index} of ${run}`,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      },
    })
    const signature = sign('sha256', Buffer.from(body), key).toString('hex')
    const json = JSON.stringify({
      publicKey: order.apiPublicKey,
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature,
    })
    const stamp = Buffer.from(json).toString('base64url')
    return Buffer.from(
      `POST /public/v1/submit/sign_raw_payload HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-stamp: ${stamp}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}

async function run(order: LoadOrder, requests: readonly Buffer[]): Promise<LoadReport> {
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order.port)))
  const latencies = new Float64Array(requests.length)
  let next = 0
  let succeeded = 0
  let firstFailure = ''
  const start = performance.now()
  const idle: Socket[] = []
  const due: number[] = []
  await new Promise<void>((resolve) => {
    let answered = 0
    const send = (socket: Socket, from: number): void => {
      const index = next++
      onAnswer.set(socket, (status, head) => {
        latencies[answered++] = performance.now() - from
        if (status === 200) succeeded++
        else firstFailure ||= head
        if (answered === requests.length) return resolve()
        if (order.perSecond !== undefined) {
          const waiting = due.shift()
          if (waiting !== undefined) send(socket, waiting)
          else idle.push(socket)
        } else if (next < requests.length) send(socket, performance.now())
      })
      socket.write(present(requests[index], 'a request'))
    }
    if (order.perSecond === undefined) {
      for (const socket of sockets.slice(0, requests.length)) send(socket, performance.now())
      return
    }
    idle.push(...sockets)
    let offered = 0
    const perMs = order.perSecond / 1000
    const pace = (): void => {
      // What was due is sent with the time at which it was due, so that waiting counts as latency.
      while (offered < requests.length && offered < (performance.now() - start) * perMs) {
        const from = start + offered++ / perMs
        const socket = idle.pop()
        if (socket === undefined) due.push(from)
        else send(socket, from)
      }
      if (offered < requests.length) setTimeout(pace, 1)
    }
    pace()
  })
  const seconds = (performance.now() - start) / 1000
  for (const socket of sockets) socket.destroy()
  const sorted = latencies.toSorted()
  return {
    seconds,
    succeeded,
    failed: requests.length - succeeded,
    firstFailure,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}

const onAnswer = new Map<Socket, (status: number, head: string) => void>()

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.on('error', reject)
    let have = 0
    let wanted = 0
    let head = ''
    socket.on('data', (chunk) => {
      if (wanted === 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        wanted = end + 4 + length
        have = head.length
      } else have += chunk.length
      if (have < wanted) return
      const status = Number(head.slice(9, 12))
      const answered = head
      head = ''
      wanted = 0
      onAnswer.get(socket)?.(status, answered)
    })
  })
}
