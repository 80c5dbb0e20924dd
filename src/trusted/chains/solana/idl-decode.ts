import { asBuffer, fromUtf8, toHex } from '../../base/bytes.ts'
import { solanaAddress } from '../solana-address.ts'
import type { SeenFields, SeenValue } from '../transaction.ts'
import type { IdlField, IdlFields, IdlType, IdlVariant } from './idl-types.ts'

/**
 * Decodes these fields from Borsh data that has nothing else. Ints are bigint; `bytes` lowercase hex; floats decimal
 * text, because the policy language has only whole numbers; arrays, vectors and what has fields without names are
 * lists; structs are fields by name; a variant without fields is its name, another one its fields under its name; an
 * option is its value, or `{}`, and a rule that names it then fails.
 *
 * @returns  undefined for any other data, and for data with too much in it
 * @see      Borsh specification 1.0
 */
export function decodeBorsh(fields: readonly IdlField[], data: Uint8Array): SeenFields | undefined {
  const reader = new Reader(data)
  const values = reader.named(fields)
  return reader.isAtEnd() ? values : undefined
}

class Reader {
  readonly #data: Buffer
  #at = 0
  #valuesLeft = VALUES_MAX

  constructor(data: Uint8Array) {
    this.#data = asBuffer(data)
  }

  isAtEnd(): boolean {
    return this.#at === this.#data.length
  }

  named(fields: readonly IdlField[]): SeenFields | undefined {
    const entries: [string, SeenValue][] = []
    for (const { name, type } of fields) {
      const value = this.#value(type)
      if (value === undefined) return undefined
      entries.push([name, value])
    }
    return Object.fromEntries(entries)
  }

  #value(type: IdlType): SeenValue | undefined {
    // The only bound for a list of items that take no bytes.
    if (this.#valuesLeft === 0) return undefined
    this.#valuesLeft--
    switch (type.kind) {
      case 'uint':
        return this.#uint(type.bytes)
      case 'int': {
        const value = this.#uint(type.bytes)
        return value === undefined ? undefined : BigInt.asIntN(type.bytes * 8, value)
      }
      case 'float':
        return this.#float(type.bytes)
      case 'bool':
        return this.#flag()
      case 'publicKey': {
        const key = this.#take(32)
        return key === undefined ? undefined : solanaAddress(key)
      }
      case 'bytes': {
        const bytes = this.#prefixed()
        return bytes === undefined ? undefined : toHex(bytes)
      }
      case 'string': {
        const bytes = this.#prefixed()
        return bytes === undefined ? undefined : fromUtf8(bytes)
      }
      case 'option': {
        const isThere = this.#flag()
        if (isThere === undefined) return undefined
        return isThere ? this.#value(type.of) : {}
      }
      case 'vec': {
        const length = this.#length()
        return length === undefined ? undefined : this.#list(type.of, length)
      }
      case 'array':
        return this.#list(type.of, type.length)
      case 'struct':
        return this.#fields(type.fields)
      case 'enum':
        return this.#variant(type.variants)
    }
  }

  #variant(variants: readonly IdlVariant[]): SeenValue | undefined {
    const variant = variants[this.#take(1)?.[0] ?? -1]
    if (variant === undefined) return undefined
    const { name, fields } = variant
    if (fields.kind === 'named' && fields.named.length === 0) return name
    const value = this.#fields(fields)
    return value === undefined ? undefined : Object.fromEntries([[name, value]])
  }

  #fields(fields: IdlFields): SeenValue | undefined {
    if (fields.kind === 'named') return this.named(fields.named)
    const values: SeenValue[] = []
    for (const type of fields.types) {
      const value = this.#value(type)
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  #list(of: IdlType, length: number): SeenValue | undefined {
    const values: SeenValue[] = []
    for (let index = 0; index < length; index++) {
      const value = this.#value(of)
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  #uint(bytes: number): bigint | undefined {
    const little = this.#take(bytes)
    if (little === undefined) return undefined
    if (bytes === 16) return little.readBigUInt64LE() | (little.readBigUInt64LE(8) << 64n)
    return bytes === 8 ? little.readBigUInt64LE() : BigInt(little.readUIntLE(0, bytes))
  }

  /** The shortest decimal that identifies this double; a float of 32 bits is a double too. */
  #float(bytes: number): string | undefined {
    const little = this.#take(bytes)
    if (little === undefined) return undefined
    const value = bytes === 4 ? little.readFloatLE() : little.readDoubleLE()
    // Borsh has no NaN.
    if (Number.isNaN(value)) return undefined
    return Object.is(value, -0) ? '-0' : String(value)
  }

  #flag(): boolean | undefined {
    const byte = this.#take(1)?.[0]
    return byte === 0 || byte === 1 ? byte === 1 : undefined
  }

  #prefixed(): Buffer | undefined {
    const length = this.#length()
    return length === undefined ? undefined : this.#take(length)
  }

  #length(): number | undefined {
    return this.#take(4)?.readUInt32LE()
  }

  #take(bytes: number): Buffer | undefined {
    const end = this.#at + bytes
    if (end > this.#data.length) return undefined
    const taken = this.#data.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

// More than fits into the 1232 bytes of a Solana transaction, at one byte for each value.
const VALUES_MAX = 4096
