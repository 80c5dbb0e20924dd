import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import { bitcoinTransactionSteps } from './bitcoin/read-bitcoin-transaction.ts'
import { ethereumTransactionSteps } from './ethereum/transaction.ts'
import { solanaTransactionSteps } from './solana/transaction.ts'
import { tempoTransactionSteps } from './tempo/transaction.ts'
import type { ContractInterface, ReadTransaction, TransactionSigner } from './transaction.ts'
import { readTronTransaction } from './tron/read-tron-transaction.ts'

export const transactionTypes = [
  'TRANSACTION_TYPE_ETHEREUM',
  'TRANSACTION_TYPE_SOLANA',
  'TRANSACTION_TYPE_TRON',
  'TRANSACTION_TYPE_BITCOIN',
  'TRANSACTION_TYPE_TEMPO',
] as const
export type TransactionType = (typeof transactionTypes)[number]

export type ToRead = {
  readonly type: TransactionType
  /** Hexadecimal, with or without `0x`. */
  readonly unsignedTransaction: string
  readonly signer: TransactionSigner
  /** The id or address that the signer was named by. */
  readonly signWith: string
  readonly interfaces: readonly ContractInterface[]
}

/** Reads a transaction of any chain; what cannot be read to its last byte is refused with a failure of `failures.ts`. */
export function readTransaction(toRead: ToRead): ReadTransaction {
  return finished(transactionSteps(toRead))
}

/** The same in steps. */
export function* transactionSteps(toRead: ToRead): Steps<ReadTransaction> {
  const { type, signer, interfaces, unsignedTransaction: hex } = toRead
  yield hex.length * costs.payloadCharacter
  switch (type) {
    case 'TRANSACTION_TYPE_ETHEREUM':
      return yield* ethereumTransactionSteps(hex, signer, interfaces)
    case 'TRANSACTION_TYPE_SOLANA':
      return yield* solanaTransactionSteps(hex, signer, interfaces)
    case 'TRANSACTION_TYPE_TRON':
      return readTronTransaction(unprefixed(hex), signer)
    case 'TRANSACTION_TYPE_BITCOIN':
      return yield* bitcoinTransactionSteps(unprefixed(hex), signer, toRead.signWith)
    case 'TRANSACTION_TYPE_TEMPO':
      return yield* tempoTransactionSteps(hex, signer)
  }
}

function unprefixed(hex: string): string {
  return hex.replace(/^0x/i, '')
}
