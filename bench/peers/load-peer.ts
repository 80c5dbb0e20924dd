import type { Offer } from '../offer.ts'

/** Requests of another program's own interface, with a token, each with a payload of its own. */
export type PeerOrder = {
  readonly load: 'peer'
  readonly requests: number
  readonly path: string
  readonly token: string
  /** Under which name of the body the payload stands; `data.value` for a written secret. */
  readonly field: 'input' | 'data.value'
}

export function preparedForPeer(order: PeerOrder): Pick<Offer, 'next' | 'count'> {
  const { requests, path, token, field } = order
  const run = Math.random().toString(36).slice(2)
  const prepared = Array.from({ length: requests }, (_, at) => {
    const payload = Buffer.from(`request ${at} of ${run}`).toString('base64')
    const body = JSON.stringify(field === 'input' ? { input: payload } : { data: { value: payload } })
    const head = [
      // A secret of its own for each: to write one again would wait for its lock.
      `POST ${field === 'input' ? path : `${path}/${run}-${at}`} HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      `x-vault-token: ${token}`,
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
  return { count: requests, next: (task, answer) => (answer === undefined ? prepared[task] : undefined) }
}
