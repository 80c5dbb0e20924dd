import { type KeyObject, sign } from 'node:crypto'

export type Stamper = { readonly publicKey: string; readonly key: KeyObject }

/** The bytes of a submission, or of a query, stamped. */
export function stamped(
  operation: string,
  request: object,
  { publicKey, key }: Stamper,
  kind: 'submit' | 'query' = 'submit',
): Buffer {
  const body = JSON.stringify(request)
  const signature = sign('sha256', Buffer.from(body), key).toString('hex')
  const stamp = JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature })
  const head = [
    `POST /public/v1/${kind}/${operation} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `x-stamp: ${Buffer.from(stamp).toString('base64url')}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
