import { createECDH, createPrivateKey, sign } from 'node:crypto'

/** The agent's API key: it stamps the bytes of a request, and shows nothing of its private half. */
export type ApiKey = {
  /** Compressed, hexadecimal. */
  readonly publicKey: string
  /** The value of the header `X-Stamp` over exactly these bytes. */
  readonly stamp: (body: string) => string
}

/** @returns undefined for a text that is not a P-256 private key in 64 hexadecimal digits */
export function apiKeyFrom(privateKeyHex: string): ApiKey | undefined {
  if (!/^[0-9a-fA-F]{64}$/.test(privateKeyHex)) return undefined
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKeyHex, 'hex')
  } catch {
    // OpenSSL takes 1 to the order less 1, and nothing else of this length.
    return undefined
  }
  const point = pair.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: Buffer.from(privateKeyHex, 'hex').toString('base64url'),
    },
  })
  const publicKey = pair.getPublicKey('hex', 'compressed')
  return {
    publicKey,
    stamp: (body) => {
      const signature = sign('sha256', Buffer.from(body), key).toString('hex')
      const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
      return Buffer.from(JSON.stringify(stamp)).toString('base64url')
    },
  }
}
