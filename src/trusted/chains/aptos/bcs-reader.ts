import { fromUtf8, toHex } from '../../base/bytes.ts'
import { unreadableTransaction } from '../failures.ts'
import { FrontReader } from '../front-reader.ts'

/**
 * Reads BCS from front to back. A value has one encoding: missing bytes, bytes left over and forms that are not the
 * shortest give Failure `unreadableTransaction`.
 *
 * @see the BCS specification of Diem, "Binary Canonical Serialization"
 */
export class BcsReader extends FrontReader {
  u64(what: string): bigint {
    return BigInt(`0x${toHex(this.take(8, what).toReversed())}`)
  }

  /** 32 bytes. */
  address(what: string): Uint8Array {
    return this.take(ADDRESS_LENGTH, what)
  }

  /** A number of 32 bits as ULEB128: the variant of an enum, or a length. */
  uleb128(what: string): number {
    let value = 0
    for (let position = 0; position < ULEB128_BYTES_MAX; position++) {
      const byte = this.byte(what)
      value += (byte & 0x7f) * 2 ** (7 * position)
      if (byte >= 0x80) continue
      if (position > 0 && byte === 0)
        throw unreadableTransaction({ what: `${what} is not in its shortest form` })
      if (value > UINT32_MAX) break
      return value
    }
    throw unreadableTransaction({ what: `${what} has more than 32 bits` })
  }

  bytes(what: string): Uint8Array {
    return this.take(this.uleb128(`the length of ${what}`), what)
  }

  text(what: string): string {
    const text = fromUtf8(this.bytes(what))
    if (text === undefined) throw unreadableTransaction({ what: `${what} is not UTF-8` })
    return text
  }

  bool(what: string): boolean {
    const byte = this.byte(what)
    if (byte > 1) throw unreadableTransaction({ what: `${what} is neither true nor false` })
    return byte === 1
  }

  optional<T>(what: string, read: () => T): T | undefined {
    return this.bool(`whether there is ${what}`) ? read() : undefined
  }

  /** @param max  highest number of items; the chain allows no more */
  list<T>(what: string, max: number, read: (index: number) => T): readonly T[] {
    const length = this.uleb128(`the number of ${what}`)
    if (length > max) throw unreadableTransaction({ what: `more than ${max} ${what}` })
    const items: T[] = []
    for (let index = 0; index < length; index++) items.push(read(index))
    return items
  }
}

export const ADDRESS_LENGTH = 32
const ULEB128_BYTES_MAX = 5
const UINT32_MAX = 2 ** 32 - 1
