import fc from 'fast-check'
import type { CompiledInstruction, Message, TableLookup } from '../message.ts'
import { SYSTEM, TOKEN, TOKEN_2022 } from './messages.ts'

const arbitraryTransferData: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((amount) => bytes([2, 0, 0, 0], amount, [])),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((amount) => bytes([3], amount, [])),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((amount) => bytes([12], amount, [6])),
)

/** Instructions of a token program in one; some find as many accounts as they need. */
const arbitraryBatchData: fc.Arbitrary<Uint8Array> = fc
  .array(fc.tuple(fc.nat(4), fc.oneof(arbitraryTransferData, fc.uint8Array({ maxLength: 6 }))), {
    maxLength: 3,
  })
  .map((inner) =>
    Uint8Array.of(255, ...inner.flatMap(([accounts, data]) => [accounts, data.length, ...data])),
  )

/** Messages that validators could accept, of every possible size, many of them with transfers. */
export const arbitraryMessage: fc.Arbitrary<Message> = fc
  .record({
    version: fc.constantFrom<Message['version']>('legacy', 0),
    keys: fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), {
      minLength: 1,
      maxLength: 6,
      selector: String,
    }),
    programs: fc.subarray([SYSTEM, TOKEN, TOKEN_2022]),
    recentBlockhash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    lookups: fc.array(arbitraryLookup(), { maxLength: 2 }),
    signers: fc.nat(),
    readonlySigned: fc.nat(),
    readonlyUnsigned: fc.nat(),
    calls: fc.array(
      fc.record({
        program: fc.nat(),
        accounts: fc.array(fc.nat(), { maxLength: 6 }),
        data: fc.oneof(arbitraryTransferData, arbitraryBatchData, fc.uint8Array({ maxLength: 150 })),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ version, keys, programs, recentBlockhash, signers, calls, ...rest }) => {
    const accountKeys = [...keys, ...programs.filter((program) => !keys.some((key) => same(key, program)))]
    const requiredSignatures = 1 + (signers % keys.length)
    const lookups = version === 'legacy' ? [] : rest.lookups
    const accounts = accountKeys.length + count(lookups)
    return {
      version,
      requiredSignatures,
      readonlySigned: rest.readonlySigned % requiredSignatures,
      readonlyUnsigned: rest.readonlyUnsigned % (accountKeys.length - requiredSignatures + 1),
      accountKeys,
      recentBlockhash,
      instructions:
        accountKeys.length === 1 ? [] : calls.map((call) => instruction(call, accountKeys, accounts)),
      lookups,
    }
  })

/** A byte that is set or inserted, or bytes that are dropped or duplicated. */
export const arbitraryChange: fc.Arbitrary<(bytes: Uint8Array) => Uint8Array> = fc
  .record({
    kind: fc.constantFrom('set', 'insert', 'drop', 'copy'),
    // Most of the interesting bytes come after the signature.
    at: fc.oneof(fc.nat(1400), fc.integer({ min: 65, max: 72 })),
    length: fc.integer({ min: 1, max: 33 }),
    byte: fc.oneof(fc.nat(255), fc.nat(3), fc.constantFrom(0x7f, 0x80, 0x81, 0xff)),
  })
  .map(({ kind, at, length, byte }) => (bytes: Uint8Array) => {
    const start = at % (bytes.length + 1)
    const before = bytes.subarray(0, start)
    const after = bytes.subarray(start)
    switch (kind) {
      case 'set':
        return Buffer.concat([before, Uint8Array.of(byte), after.subarray(1)])
      case 'insert':
        return Buffer.concat([before, Uint8Array.of(byte), after])
      case 'drop':
        return Buffer.concat([before, after.subarray(length)])
      default:
        return Buffer.concat([before, after.subarray(0, length), after])
    }
  })

function arbitraryLookup(): fc.Arbitrary<TableLookup> {
  return fc
    .record({
      tableKey: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      indexes: fc.uniqueArray(fc.nat(255), { minLength: 1, maxLength: 6 }),
      split: fc.nat(6),
    })
    .map(({ tableKey, indexes, split }) => ({
      tableKey,
      writableIndexes: Uint8Array.from(indexes.slice(0, split)),
      readonlyIndexes: Uint8Array.from(indexes.slice(split)),
    }))
}

function instruction(
  call: { readonly program: number; readonly accounts: readonly number[]; readonly data: Uint8Array },
  accountKeys: readonly Uint8Array[],
  accounts: number,
): CompiledInstruction {
  return {
    programIndex: 1 + (call.program % (accountKeys.length - 1)),
    accountIndexes: Uint8Array.from(call.accounts, (account) => account % accounts),
    data: call.data,
  }
}

function count(lookups: readonly TableLookup[]): number {
  return lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) => sum + writableIndexes.length + readonlyIndexes.length,
    0,
  )
}

function bytes(before: readonly number[], amount: bigint, after: readonly number[]): Uint8Array {
  const middle = Buffer.alloc(8)
  middle.writeBigUInt64LE(amount)
  return Buffer.concat([Uint8Array.from(before), middle, Uint8Array.from(after)])
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
