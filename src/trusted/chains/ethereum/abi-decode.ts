import { asBuffer, fromUtf8, toHex } from '../../base/bytes.ts'
import { caseless } from '../../base/caseless.ts'
import type { SeenValue } from '../transaction.ts'
import { type AbiType, WORD } from './abi-types.ts'

/**
 * Decodes values of these types from data that is exactly an encoder's output: tails in the order of their heads with
 * nothing between, before or after them, and correct padding. Decoders disagree about other data, so it is refused. The
 * work is bounded by the length of the data.
 *
 * Ints are bigint; `bytes` of any kind is `0x` and lowercase hex, compared without case where it is as long as an
 * address; tuples and arrays are lists.
 *
 * @returns  undefined for any other data
 * @see      Solidity documentation, "Contract ABI Specification", "Formal Specification of the Encoding" and "Strict
 *           Encoding Mode"
 */
export function decodeAbi(types: readonly AbiType[], data: Uint8Array): readonly SeenValue[] | undefined {
  const reader = new Reader(data)
  const values = reader.sequence(types)
  return reader.isAtEnd() ? values : undefined
}

type Values = readonly SeenValue[] | undefined

class Reader {
  readonly #data: Buffer
  /** The end of the bytes read so far, heads included: the required position of the next tail. */
  #end = 0

  constructor(data: Uint8Array) {
    this.#data = asBuffer(data)
  }

  isAtEnd(): boolean {
    return this.#end === this.#data.length
  }

  /** Heads, each as long as its value, or 32 bytes for an offset from where the first one starts; then the tails. */
  sequence(types: readonly AbiType[]): Values {
    let headsBytes = 0
    for (const type of types) headsBytes += type.size ?? WORD
    const start = this.#claim(headsBytes)
    if (start === undefined) return undefined
    const values: SeenValue[] = []
    let at = start
    for (const type of types) {
      const value = this.#item(type, at, start)
      if (value === undefined) return undefined
      values.push(value)
      at += type.size ?? WORD
    }
    return values
  }

  /** As `sequence`, for `length` values of one type. */
  #elements(of: AbiType, length: number): Values {
    const headBytes = of.size ?? WORD
    const start = this.#claim(headBytes * length)
    if (start === undefined) return undefined
    const values: SeenValue[] = []
    for (let index = 0; index < length; index++) {
      const value = this.#item(of, start + index * headBytes, start)
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  /**
   * Claims the next bytes, right after those read so far, and returns their start; undefined when there are too few.
   */
  #claim(bytes: number): number | undefined {
    const start = this.#end
    if (start + bytes > this.#data.length) return undefined
    this.#end = start + bytes
    return start
  }

  #item(type: AbiType, at: number, start: number): SeenValue | undefined {
    if (type.size !== undefined) return this.#fixed(type, at)
    const offset = this.#small(at)
    return offset !== undefined && start + offset === this.#end ? this.#tail(type) : undefined
  }

  /** A static value, inside heads that were claimed. */
  #fixed(type: AbiType, at: number): SeenValue | undefined {
    if (type.kind === 'tuple') return this.#fixedAll(type.components, at)
    if (type.kind !== 'array') return this.#word(type, at)
    const values: SeenValue[] = []
    for (let index = 0; index < (type.length ?? 0); index++) {
      const value = this.#fixed(type.of, at + index * (type.of.size ?? 0))
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  #fixedAll(types: readonly AbiType[], start: number): Values {
    const values: SeenValue[] = []
    let at = start
    for (const type of types) {
      const value = this.#fixed(type, at)
      if (value === undefined) return undefined
      values.push(value)
      at += type.size ?? 0
    }
    return values
  }

  /** A dynamic value, at the end of the bytes read so far. */
  #tail(type: AbiType): SeenValue | undefined {
    if (type.kind === 'tuple') return this.sequence(type.components)
    if (type.kind === 'array' && type.length !== undefined) return this.#elements(type.of, type.length)
    const at = this.#claim(WORD)
    const length = at === undefined ? undefined : this.#small(at)
    if (length === undefined) return undefined
    if (type.kind === 'array') return this.#elements(type.of, length)
    const bytes = this.#paddedBytes(length)
    if (bytes === undefined) return undefined
    return type.kind === 'string' ? fromUtf8(bytes) : shownBytes(bytes)
  }

  #paddedBytes(length: number): Uint8Array | undefined {
    const padded = Math.ceil(length / WORD) * WORD
    const start = this.#claim(padded)
    if (start === undefined) return undefined
    return this.#isZero(start + length, start + padded)
      ? this.#data.subarray(start, start + length)
      : undefined
  }

  #word(type: AbiType, at: number): SeenValue | undefined {
    switch (type.kind) {
      case 'uint':
        return this.#isZero(at, at + WORD - type.bits / 8) ? this.#uint(at) : undefined
      case 'int': {
        const value = BigInt.asIntN(type.bits, this.#uint(at))
        return BigInt.asUintN(256, value) === this.#uint(at) ? value : undefined
      }
      case 'bool': {
        const value = this.#small(at)
        return value === 0 || value === 1 ? value === 1 : undefined
      }
      case 'address':
        return this.#isZero(at, at + 12) ? shownBytes(this.#data.subarray(at + 12, at + WORD)) : undefined
      case 'fixedBytes':
        return this.#isZero(at + type.length, at + WORD)
          ? shownBytes(this.#data.subarray(at, at + type.length))
          : undefined
      default:
        return undefined
    }
  }

  #uint(at: number): bigint {
    const low = this.#data.readBigUInt64BE(at + 24)
    if (this.#isZero(at, at + 24)) return low
    const high = (this.#data.readBigUInt64BE(at) << 64n) | this.#data.readBigUInt64BE(at + 8)
    return (high << 128n) | (this.#data.readBigUInt64BE(at + 16) << 64n) | low
  }

  /** A number that is small enough to be an offset or a length here. */
  #small(at: number): number | undefined {
    return this.#isZero(at, at + 28) ? this.#data.readUInt32BE(at + 28) : undefined
  }

  #isZero(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.#data[at] !== 0) return false
    return true
  }
}

/** Bytes as long as an address are compared like addresses. */
function shownBytes(bytes: Uint8Array): SeenValue {
  const text = `0x${toHex(bytes)}`
  return bytes.length === 20 ? caseless(text) : text
}
