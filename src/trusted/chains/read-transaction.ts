import { present } from '../base/assert.ts'
import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import { chains, type declaredChains } from './list.ts'
import type { NamedSigner, ReadTransaction, TransactionSigner } from './transaction.ts'

export type TransactionType = Extract<
  (typeof declaredChains)[number],
  { readonly transaction: object }
>['transaction']['type']

const rules = new Map(
  chains.flatMap(({ transaction }) => (transaction ? [[transaction.type, transaction]] : [])),
)

// The type `TransactionType` is made of these keys, the transaction types of the chains.
export const transactionTypes = [...rules.keys()] as readonly TransactionType[]

type ToRead = Omit<NamedSigner, keyof TransactionSigner> & {
  readonly type: TransactionType
  /** Hexadecimal, with or without `0x`. */
  readonly unsignedTransaction: string
  readonly signer: TransactionSigner
}

/**
 * Reads a transaction of any chain; a transaction that cannot be read to its last byte is refused with a failure of
 * `failures.ts`.
 */
export function readTransaction(toRead: ToRead): ReadTransaction {
  return finished(transactionSteps(toRead))
}

/** The same in steps. */
export function* transactionSteps(toRead: ToRead): Steps<ReadTransaction> {
  const { type, signer, signWith, interfaces, unsignedTransaction: hex } = toRead
  yield hex.length * costs.payloadCharacter
  return yield* transactionRule(type).read(hex, { ...signer, signWith, interfaces })
}

export function transactionRule(type: TransactionType) {
  return present(rules.get(type), 'a type of transaction is that of a chain')
}
