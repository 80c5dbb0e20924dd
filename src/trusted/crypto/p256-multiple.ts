import { createECDH } from 'node:crypto'

/**
 * @param scalar  32 bytes in 1..n-1
 * @returns       scalar · G, in the form of SEC 1: 33 bytes compressed, or 65
 */
export function p256MultipleOfG(
  scalar: Uint8Array,
  form: 'compressed' | 'uncompressed' = 'compressed',
): Uint8Array {
  multiplier.setPrivateKey(scalar)
  return multiplier.getPublicKey(null, form)
}

// One shared object: creating and collecting one costs more than a tenth of a signature. It holds the last scalar until
// the next call; separate objects would each hold a scalar until they are collected.
const multiplier = createECDH('prime256v1')
