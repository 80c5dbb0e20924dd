import { concat, equalBytes, fromHex, toHex } from '../../src/trusted/base/bytes.ts'

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

// As much of either as the library of the vault takes: the work grows with the square of it.
const BYTES_MAX = 2048
const DIGITS_MAX = 4096

/** Base58 of Bitcoin: each zero byte at the beginning is a digit of its own. */
export const base58 = {
  encode: (bytes: Uint8Array): string => {
    if (bytes.length > BYTES_MAX) throw new RangeError('too many bytes for base58')
    const digits: string[] = []
    for (let rest = BigInt(`0x0${toHex(bytes)}`); rest > 0n; rest /= 58n)
      digits.push(DIGITS.charAt(Number(rest % 58n)))
    for (let at = 0; bytes[at] === 0; at++) digits.push('1')
    return digits.reverse().join('')
  },

  /** @throws RangeError for what is no base58 */
  decode: (text: string): Uint8Array => {
    if (text.length > DIGITS_MAX) throw new RangeError('too many digits of base58')
    let number = 0n
    for (const digit of text) {
      const value = DIGITS.indexOf(digit)
      if (value < 0) throw new RangeError('no digit of base58')
      number = number * 58n + BigInt(value)
    }
    const hex = number === 0n ? '' : number.toString(16)
    const zeros = /^1*/.exec(text)?.[0].length ?? 0
    return concat(new Uint8Array(zeros), fromHex(hex.length % 2 === 0 ? hex : `0${hex}`) ?? new Uint8Array())
  },
}

/** Base58 with the first four bytes of a double hash behind the bytes. */
export function createBase58check(hash: (bytes: Uint8Array) => Uint8Array): typeof base58 {
  const checksumOf = (bytes: Uint8Array): Uint8Array => hash(hash(bytes)).subarray(0, 4)
  return {
    encode: (bytes) => base58.encode(concat(bytes, checksumOf(bytes))),

    /** @throws RangeError for what is no base58, and for another checksum */
    decode: (text) => {
      const whole = base58.decode(text)
      const bytes = whole.subarray(0, -4)
      if (!equalBytes(checksumOf(bytes), whole.subarray(-4))) throw new RangeError('another checksum')
      return bytes
    },
  }
}
