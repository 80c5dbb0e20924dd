import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import type { Fact, Reading } from '../fact.ts'

/** What is said of the transactions of one chain, by the keyword that the chain declares. */
export type ChainWords = {
  readonly keyword: string
  /**
   * Reads a transaction as `sign_transaction` has it, of a key of which nothing is known but how the request names it.
   *
   * @returns what the reader of the chain sees, and what it does not show to policies
   * @throws  Failure for what cannot be read to its last byte
   */
  readonly read?: {
    readonly type: string
    of(unsignedTransaction: string, signWith: string): Read
  }
  /** The same for what a raw payload turned out to be. */
  unseenInBytes?(bytes: Uint8Array): readonly Fact[]
  /** @param seen  what stands under the keyword */
  say(seen: SeenFields, signWith: string): Reading
}

type Read = { readonly seen: SeenFields; readonly unseen: readonly Fact[] }
