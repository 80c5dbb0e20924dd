import { toHex } from '../../base/bytes.ts'
import type { Steps } from '../../base/work.ts'
import { solanaAddress } from '../solana-address.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import type { TableReference } from './accounts.ts'
import { type Instruction, resolve } from './instruction.ts'
import type { Message, TableLookup } from './message.ts'
import { parsedInstructions } from './parsed-instructions.ts'
import { SYSTEM_PROGRAM, systemTransfers } from './system-transfers.ts'
import { unbatched } from './token-batch.ts'
import { TOKEN_PROGRAMS, type TokenTransfer, tokenTransfers } from './token-transfers.ts'

/**
 * `solana.tx` of the policy language, under both spellings of each name.
 *
 * @param message  a message that `expectValidMessage` accepts
 * @throws Failure `invalidTransaction` where a transfer could stay unseen
 */
export function* seenTransaction(
  message: Message,
  interfaces: readonly ContractInterface[],
): Steps<SeenFields> {
  const { accounts, instructions: sent } = resolve(message)
  const instructions = sent.flatMap(unbatched)
  const accountKeys = accounts.slice(0, message.accountKeys.length).map(({ address }) => address)
  const called = new Set(instructions.map(({ program }) => program))
  const programKeys = accountKeys.filter((key) => called.has(key))
  const parsed = yield* parsedInstructions(instructions, interfaces)
  const seenInstructions = instructions.map((instruction, index) => ({
    ...seenInstruction(instruction),
    parsed_instruction_data: parsed[index],
  }))
  return {
    account_keys: accountKeys,
    static_account_keys: accountKeys,
    program_keys: programKeys,
    top_level_program_keys: programKeys,
    instructions: seenInstructions,
    top_level_instructions: seenInstructions,
    transfers: instructions.filter(({ program }) => program === SYSTEM_PROGRAM).flatMap(systemTransfers),
    spl_transfers: instructions
      .filter(({ program }) => TOKEN_PROGRAMS.includes(program))
      .flatMap(tokenTransfers)
      .map(seenTokenTransfer),
    recent_blockhash: solanaAddress(message.recentBlockhash),
    address_table_lookups: message.lookups.map(seenLookup),
    address_table_lookup_references: accounts.flatMap(({ reference }) =>
      reference === undefined ? [] : [seenReference(reference)],
    ),
  }
}

function seenInstruction({ program, accounts, data }: Instruction): SeenFields {
  return {
    program_key: program,
    accounts: accounts.map(({ address, signer, writable }) => ({ account_key: address, signer, writable })),
    instruction_data_hex: toHex(data),
    address_table_lookups: accounts.flatMap(({ reference }) =>
      reference === undefined ? [] : [seenInstructionLookup(reference)],
    ),
  }
}

/** One account of an instruction from a lookup table, both as a reference and as a lookup of one index. */
function seenInstructionLookup(reference: TableReference): SeenFields {
  const index = [BigInt(reference.index)]
  return {
    ...seenReference(reference),
    writable_indexes: reference.writable ? index : [],
    readonly_indexes: reference.writable ? [] : index,
  }
}

function seenReference({ tableAddress, index, writable }: TableReference): SeenFields {
  return { address_table_key: tableAddress, index: BigInt(index), writable }
}

function seenLookup({ tableKey, writableIndexes, readonlyIndexes }: TableLookup): SeenFields {
  return {
    address_table_key: solanaAddress(tableKey),
    writable_indexes: Array.from(writableIndexes, BigInt),
    readonly_indexes: Array.from(readonlyIndexes, BigInt),
  }
}

function seenTokenTransfer({ mint, ...rest }: TokenTransfer): SeenFields {
  return { ...rest, token_mint: mint }
}
