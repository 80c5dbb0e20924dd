import type { SeenFields } from '../../trusted/chains/transaction.ts'
import type { ChainWords } from './chains/chain-words.ts'
import type { Fact, Reading } from './fact.ts'
import { readable, Unreadable } from './request.ts'
import { objectIn, seenFacts } from './seen-facts.ts'

/**
 * The words for a request of `sign_transaction`.
 *
 * @throws Unreadable for a transaction that is not read to its last byte
 */
export function transactionWords(
  sent: { readonly type: string; readonly unsignedTransaction: string },
  signWith: string,
  chains: readonly ChainWords[],
): Reading {
  const words = chains.find(({ chain }) => chain.transaction?.type === sent.type)
  if (words?.read === undefined) throw new Unreadable('a transaction of its type is not read here')
  const { read } = words
  const { seen, unseen } = readable(() => read(sent.unsignedTransaction, signWith))
  return transactionReading(seen, signWith, words, unseen)
}

/**
 * The words of the chain first, then all values that its reader has seen, then those that it does not show to policies.
 */
export function transactionReading(
  whole: SeenFields,
  signWith: string,
  { chain: { keyword }, say }: ChainWords,
  unseen: readonly Fact[],
): Reading {
  const seen = withoutSender(whole)
  const [only, ...others] = Object.keys(seen)
  if (only !== keyword || others.length > 0) throw new Unreadable('it is not a transaction of one chain')
  const under = objectIn(seen, keyword)
  const done = say(under, signWith, unseen)
  // An empty access list, for example.
  const isTold = done.isTold === true && unseen.every(({ value }) => value === '(empty list)')
  return { ...done, isTold, facts: [...done.facts, ...seenFacts(under, keyword), ...unseen] }
}

/** A reader derives the sender from the key. The bytes do not name the key, so the sender is not shown. */
function withoutSender(seen: SeenFields): SeenFields {
  return Object.fromEntries(
    Object.keys(seen).map((keyword) => {
      const under = objectIn(seen, keyword)
      if (under['tx'] === undefined) return [keyword, under]
      const { from: _, ...tx } = objectIn(under, 'tx')
      return [keyword, { ...under, tx }]
    }),
  )
}
