import { solanaAddress } from '../solana-address.ts'
import type { Message } from './message.ts'

/** The placeholder for an account from a lookup table: its address is on the chain, not in the transaction. */
export const ADDRESS_TABLE_LOOKUP = 'ADDRESS_TABLE_LOOKUP'

/** One account of a message; instructions refer to it by its index. */
export type Account = {
  /** Base58, or `ADDRESS_TABLE_LOOKUP`. */
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
  readonly reference: TableReference | undefined
}

/** The place of an account in a lookup table. */
export type TableReference = {
  readonly tableAddress: string
  readonly index: number
  readonly writable: boolean
}

/**
 * All accounts in the order of their indexes: the keys of the message, the writable accounts from lookups, the
 * read-only accounts from lookups.
 */
export function accountsOf(message: Message): readonly Account[] {
  const { accountKeys, requiredSignatures, readonlySigned, readonlyUnsigned } = message
  const writableSigners = requiredSignatures - readonlySigned
  const writableOthers = accountKeys.length - readonlyUnsigned
  const named = accountKeys.map((key, index) => {
    const signer = index < requiredSignatures
    return {
      address: solanaAddress(key),
      signer,
      writable: index < (signer ? writableSigners : writableOthers),
      reference: undefined,
    }
  })
  return [...named, ...loaded(message, true), ...loaded(message, false)]
}

function loaded({ lookups }: Message, writable: boolean): Account[] {
  return lookups.flatMap(({ tableKey, writableIndexes, readonlyIndexes }) => {
    const tableAddress = solanaAddress(tableKey)
    return Array.from(writable ? writableIndexes : readonlyIndexes, (index) => ({
      address: ADDRESS_TABLE_LOOKUP,
      signer: false,
      writable,
      reference: { tableAddress, index, writable },
    }))
  })
}
