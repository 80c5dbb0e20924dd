import { fromHex, toHex } from '../../src/trusted/base/bytes.ts'

/** The arithmetic, once something that needs it has loaded it: `console/readers/signature.ts`. */
type Points = {
  readonly whole: (publicKey: Uint8Array) => Uint8Array
  readonly plus: (publicKey: Uint8Array, scalar: Uint8Array) => Uint8Array
}

let points: Points | undefined

export function withPoints(loaded: Points): void {
  points = loaded
}

/**
 * In place of the arithmetic of secp256k1: what a page shows follows from the bytes of a request, which name no key.
 * Readers that want one get the point G (`src/host/approval/chains/evm-reader.ts`) and ask for its coordinates; any
 * other point throws, and what was being read is refused. A page that verifies a signature knows the key, and brings
 * the arithmetic.
 */
export const nobleBackend = {
  convertPublicKey: (publicKey: Uint8Array): Uint8Array => {
    const point = fromHex(G)
    if (point !== undefined && toHex(publicKey) === `02${G.slice(2, 66)}`) return point
    if (points !== undefined) return points.whole(publicKey)
    throw new Error('no other key is known here')
  },
  plus: (publicKey: Uint8Array, scalar: Uint8Array): Uint8Array => {
    if (points !== undefined) return points.plus(publicKey, scalar)
    throw new Error('points are not added here')
  },
}

export const nativeBackend = undefined

// SEC 2 v2, 2.4.1
const G =
  '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
