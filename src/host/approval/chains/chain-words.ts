import type { Chain } from '../../../trusted/chains/chain.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import type { Fact, Reading } from '../fact.ts'

/** The words for the transactions of one chain. */
export type ChainWords = {
  readonly chain: Chain
  /**
   * Reads a transaction in the form of `sign_transaction`; of the key, only its name in the request is known.
   *
   * @returns the fields that the reader of the chain sees, and those that it does not show to policies
   * @throws  Failure for a transaction that cannot be read to its last byte
   */
  read?(unsignedTransaction: string, signWith: string): Read
  /** The same for the transaction in a raw payload. */
  unseenInBytes?(bytes: Uint8Array): readonly Fact[]
  /**
   * Words for payloads in an encoding of the chain, if they differ from those of seen fields, by the part of its
   * namespace.
   */
  readonly encoded?: { readonly [part: string]: (payload: string, signWith: string) => Reading }
  /**
   * @param seen    the fields under the keyword
   * @param unseen  the fields beside them, of `read` or `unseenInBytes`
   */
  say(seen: SeenFields, signWith: string, unseen: readonly Fact[]): Reading
}

type Read = { readonly seen: SeenFields; readonly unseen: readonly Fact[] }
