import type { Chain } from '../../../trusted/chains/chain.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import type { Fact, Reading } from '../fact.ts'

/** What is said of the transactions of one chain. */
export type ChainWords = {
  readonly chain: Chain
  /**
   * Reads a transaction as `sign_transaction` has it, of a key of which nothing is known but how the request names it.
   *
   * @returns what the reader of the chain sees, and what it does not show to policies
   * @throws  Failure for what cannot be read to its last byte
   */
  read?(unsignedTransaction: string, signWith: string): Read
  /** The same for what a raw payload turned out to be. */
  unseenInBytes?(bytes: Uint8Array): readonly Fact[]
  /**
   * Of payloads in an encoding of the chain that are said otherwise than as what is seen, by the part of its namespace.
   */
  readonly encoded?: { readonly [part: string]: (payload: string, signWith: string) => Reading }
  /** @param seen  what stands under the keyword */
  say(seen: SeenFields, signWith: string): Reading
}

type Read = { readonly seen: SeenFields; readonly unseen: readonly Fact[] }
