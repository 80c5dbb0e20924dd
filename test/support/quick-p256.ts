import { createECDH, createHmac, hash } from 'node:crypto'

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n // SEC 2 v2, 2.4.2

/**
 * ECDSA on P-256 over SHA-256, the same bytes for the same key and body: tests stamp thousands of requests, and OpenSSL
 * multiplies points thirty times as fast as JavaScript does. Its own signatures are random, so the rest is done here.
 * For tests only: the nonce is fit for keys that guard nothing.
 *
 * @returns DER; high s is left as it falls, as in the published clients
 */
export function quickP256Signature(body: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const digest = hash('sha256', body, 'buffer')
  const ecdh = createECDH('prime256v1')
  for (let attempt = 0; ; attempt++) {
    const nonce = createHmac('sha256', privateKey).update(digest).update(String(attempt)).digest()
    const k = numberOf(nonce)
    if (k === 0n || k >= ORDER) continue
    ecdh.setPrivateKey(nonce)
    const r = numberOf(ecdh.getPublicKey().subarray(1, 33)) % ORDER
    const s = (inverse(k) * ((numberOf(digest) + r * numberOf(privateKey)) % ORDER)) % ORDER
    if (r !== 0n && s !== 0n) return der(r, s)
  }
}

/** Compressed. */
export function quickP256PublicKey(privateKey: Uint8Array): Uint8Array {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  return ecdh.getPublicKey(null, 'compressed')
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

/** By Euclid. */
function inverse(k: bigint): bigint {
  let [a, b, x, y] = [k, ORDER, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return ((x % ORDER) + ORDER) % ORDER
}

function der(r: bigint, s: bigint): Uint8Array {
  const integers = [r, s].map((value) => {
    const even = value
      .toString(16)
      .padStart(64, '0')
      .replace(/^(00)+/, '')
    const bytes = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex')
    return Buffer.concat([Buffer.from([0x02, bytes.length]), bytes])
  })
  const content = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}
