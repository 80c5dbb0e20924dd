import { sha3_256 } from '@noble/hashes/sha3.js'
import { concat, utf8 } from '../../../base/bytes.ts'

// An encoder of BCS that shares nothing with the reader: of sizes and fields as the specification has them.

/** The payload of a transaction, in the form that tests use. */
type Sample = {
  readonly sender?: Uint8Array
  readonly sequenceNumber?: bigint
  readonly payload: Uint8Array
  readonly maxGasAmount?: bigint
  readonly gasUnitPrice?: bigint
  readonly expiration?: bigint
  readonly chainId?: number
}

/** 32 bytes that are the same for the same number. */
export function account(number: number): Uint8Array {
  return new Uint8Array(32).fill(number)
}

/** An address of the framework: `special(1)` is `0x1`. */
export function special(number: number): Uint8Array {
  return concat(new Uint8Array(31), Uint8Array.of(number))
}

export function rawTransaction(sample: Sample): Uint8Array {
  const { sender = account(0xaa), sequenceNumber = 7n, payload, chainId = 1 } = sample
  const { maxGasAmount = 2_000n, gasUnitPrice = 100n, expiration = 1_800_000_000n } = sample
  return concat(
    sender,
    u64(sequenceNumber),
    payload,
    u64(maxGasAmount),
    u64(gasUnitPrice),
    u64(expiration),
    Uint8Array.of(chainId),
  )
}

export function signingMessage(transaction: Uint8Array): Uint8Array {
  return concat(sha3_256(utf8('APTOS::RawTransaction')), transaction)
}

/** With a payer of gas where one is given. */
export function messageWithData(
  transaction: Uint8Array,
  secondary: readonly Uint8Array[],
  feePayer?: Uint8Array,
): Uint8Array {
  return concat(
    sha3_256(utf8('APTOS::RawTransactionWithData')),
    Uint8Array.of(feePayer === undefined ? 0 : 1),
    transaction,
    list(secondary),
    feePayer ?? new Uint8Array(),
  )
}

export function entryFunction(
  name: readonly [module: string, name: string],
  args: readonly Uint8Array[],
  types: readonly Uint8Array[] = [],
  at = special(1),
): Uint8Array {
  return concat(at, text(name[0]), text(name[1]), list(types), list(args.map(bytes)))
}

export function script(code: Uint8Array, args: readonly Uint8Array[]): Uint8Array {
  return concat(bytes(code), list([]), list(args))
}

export function structTag(module: string, name: string, types: readonly Uint8Array[] = []): Uint8Array {
  return concat(Uint8Array.of(7), special(1), text(module), text(name), list(types))
}

export function optional(value?: Uint8Array): Uint8Array {
  return value === undefined ? Uint8Array.of(0) : concat(Uint8Array.of(1), value)
}

export function variant(number: number, ...fields: readonly Uint8Array[]): Uint8Array {
  return concat(uleb128(number), ...fields)
}

export function list(items: readonly Uint8Array[]): Uint8Array {
  return concat(uleb128(items.length), ...items)
}

export function bytes(content: Uint8Array): Uint8Array {
  return concat(uleb128(content.length), content)
}

export function text(content: string): Uint8Array {
  return bytes(utf8(content))
}

export function u64(value: bigint): Uint8Array {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(value)
  return buffer
}

function uleb128(value: number): Uint8Array {
  const digits: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) digits.push(128 + (rest % 128))
  return Uint8Array.of(...digits, rest)
}
