import { SystemInstruction, TransactionInstruction, VersionedTransaction } from '@solana/web3.js'
import type { SeenFields } from '../../transaction.ts'
import { TOKEN_PROGRAMS } from '../token-transfers.ts'

/**
 * A transaction as @solana/web3.js reads it, in the names of the policy language: all that this library shows, except
 * for token transfers.
 */
export function web3View(wire: Uint8Array): SeenFields {
  const { message } = VersionedTransaction.deserialize(wire)
  const keys = message.staticAccountKeys.map(String)
  const places = [true, false].flatMap((writable) =>
    message.addressTableLookups.flatMap(({ accountKey, writableIndexes, readonlyIndexes }) =>
      (writable ? writableIndexes : readonlyIndexes).map((index) => ({
        address_table_key: String(accountKey),
        index: BigInt(index),
        writable,
      })),
    ),
  )
  const account = (index: number) => ({
    account_key: keys[index] ?? 'ADDRESS_TABLE_LOOKUP',
    signer: message.isAccountSigner(index),
    writable: message.isAccountWritable(index),
  })
  const called = message.compiledInstructions.map(({ programIdIndex }) => keys[programIdIndex] ?? '?')
  const run = message.compiledInstructions.flatMap(({ accountKeyIndexes, data }, at) =>
    parts(called[at], accountKeyIndexes, data).map((part) => ({ ...part, program: called[at] })),
  )
  const instructions = run.map(({ accountKeyIndexes, data, program }) => ({
    program_key: program,
    accounts: accountKeyIndexes.map(account),
    instruction_data_hex: Buffer.from(data).toString('hex'),
    address_table_lookups: accountKeyIndexes.flatMap((index) => {
      const place = places[index - keys.length]
      if (place === undefined) return []
      const item = [place.index]
      const indexes = place.writable ? [item, []] : [[], item]
      return [{ ...place, writable_indexes: indexes[0], readonly_indexes: indexes[1] }]
    }),
    parsed_instruction_data: undefined,
  }))
  return {
    account_keys: keys,
    program_keys: keys.filter((key) => called.includes(key)),
    instructions,
    transfers: transfersOf(wire),
    recent_blockhash: message.recentBlockhash,
    address_table_lookups: message.addressTableLookups.map(
      ({ accountKey, writableIndexes, readonlyIndexes }) => ({
        address_table_key: String(accountKey),
        writable_indexes: writableIndexes.map(BigInt),
        readonly_indexes: readonlyIndexes.map(BigInt),
      }),
    ),
    address_table_lookup_references: places,
  }
}

type Part = { readonly accountKeyIndexes: readonly number[]; readonly data: Uint8Array }

/** The library does not know the Batch of token programs: the parts of a whole one. */
function parts(program: string | undefined, accountKeyIndexes: readonly number[], data: Uint8Array): Part[] {
  if (program === undefined || !TOKEN_PROGRAMS.includes(program) || data[0] !== 255)
    return [{ accountKeyIndexes, data }]
  const [accounts = 0, length = 0] = data.subarray(1)
  const first = {
    accountKeyIndexes: accountKeyIndexes.slice(0, accounts),
    data: data.subarray(3, 3 + length),
  }
  const rest = Uint8Array.of(255, ...data.subarray(3 + length))
  return [first, ...(rest.length === 1 ? [] : parts(program, accountKeyIndexes.slice(accounts), rest))]
}

function transfersOf(wire: Uint8Array): SeenFields[] {
  const { message } = VersionedTransaction.deserialize(wire)
  const keys = message.staticAccountKeys
  const table = keys[0]
  return message.compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }) => {
    const programId = keys[programIdIndex]
    if (programId === undefined || table === undefined) throw new Error('a program is one of the keys')
    if (String(programId) !== '11111111111111111111111111111111') return []
    const named = (index: number | undefined) =>
      index === undefined ? '?' : String(keys[index] ?? 'ADDRESS_TABLE_LOOKUP')
    // Looked-up accounts have no key here, so a placeholder key is used; the name is inserted below.
    const instruction = new TransactionInstruction({
      programId,
      data: Buffer.from(data),
      keys: accountKeyIndexes.map((index) => ({
        pubkey: keys[index] ?? table,
        isSigner: false,
        isWritable: false,
      })),
    })
    switch (typeOf(instruction)) {
      case 'Transfer': {
        const { lamports } = SystemInstruction.decodeTransfer(instruction)
        return [{ from: named(accountKeyIndexes[0]), to: named(accountKeyIndexes[1]), amount: lamports }]
      }
      case 'TransferWithSeed': {
        const { lamports } = SystemInstruction.decodeTransferWithSeed(instruction)
        return [{ from: named(accountKeyIndexes[0]), to: named(accountKeyIndexes[2]), amount: lamports }]
      }
      default:
        return []
    }
  })
}

/** Undefined for the numbers that the library does not know. */
function typeOf(instruction: TransactionInstruction): string | undefined {
  try {
    return SystemInstruction.decodeInstructionType(instruction)
  } catch {
    return undefined
  }
}
