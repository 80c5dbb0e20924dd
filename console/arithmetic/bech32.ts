const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** Addresses of version 0 (BIP-173): they are written here, and never read. */
export const bech32 = /* @__PURE__ */ coder(1)

/** Of the versions after it (BIP-350). */
export const bech32m = /* @__PURE__ */ coder(0x2bc830a3)

type Coder = {
  readonly toWords: (bytes: Uint8Array) => readonly number[]
  readonly encode: (prefix: string, words: readonly number[]) => string
}

function coder(constant: number): Coder {
  return {
    toWords,
    encode: (prefix, words) => {
      const letters = Array.from(prefix, (letter) => letter.charCodeAt(0))
      const spread = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31)]
      const checksum = polymod([...spread, ...words, 0, 0, 0, 0, 0, 0]) ^ constant
      const last = [25, 20, 15, 10, 5, 0].map((bits) => (checksum >> bits) & 31)
      return `${prefix}1${[...words, ...last].map((word) => DIGITS.charAt(word)).join('')}`
    },
  }
}

/** Groups of five bits; zeros fill up the last one. */
function toWords(bytes: Uint8Array): readonly number[] {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2))
}

function polymod(values: readonly number[]): number {
  return values.reduce((checksum, value) => {
    const top = checksum >> 25
    return GENERATOR.reduce(
      (sum, bits, at) => ((top >> at) & 1 ? sum ^ bits : sum),
      ((checksum & 0x1ffffff) << 5) ^ value,
    )
  }, 1)
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
