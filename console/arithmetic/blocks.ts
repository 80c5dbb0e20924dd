// What SHA-256 and RIPEMD-160 have in common: words of 32 bits, blocks of 16 of them, and constants that are roots of
// primes.

/**
 * A digest of words: the state after the last block, of which each begins with the state that the one before it left.
 *
 * The message is followed by one bit, by zeros, and by the number of its bits in the last eight bytes of a block of 64
 * (FIPS 180-4, section 5.1.1).
 */
export function digestOf(
  message: Uint8Array,
  initial: readonly number[],
  compressed: (state: readonly number[], block: readonly number[]) => readonly number[],
  isLittleEndian = false,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / 64) * 64))
  new Uint8Array(view.buffer).set(message)
  view.setUint8(message.length, 0x80)
  view.setBigUint64(view.byteLength - 8, BigInt(message.length) * 8n, isLittleEndian)
  let state = initial
  for (let from = 0; from < view.byteLength; from += 64) {
    const block = Array.from({ length: 16 }, (_, at) => view.getUint32(from + 4 * at, isLittleEndian))
    state = compressed(state, block)
  }
  const digest = new DataView(new ArrayBuffer(4 * state.length))
  state.forEach((word, at) => digest.setUint32(4 * at, word, isLittleEndian))
  return new Uint8Array(digest.buffer)
}

export function turnedLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** As many bits of a root as are asked for after its point, as a word: what stands before them is cut off. */
export function rootWord(number: number, degree: 2n | 3n, bits: bigint): number {
  const scaled = BigInt(number) << (bits * degree)
  let root = 0n
  for (let bit = 2n ** 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= scaled) root += bit
  return Number(BigInt.asUintN(32, root))
}
