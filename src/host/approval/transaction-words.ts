import type { SeenFields } from '../../trusted/chains/transaction.ts'
import { chainWords } from './chains/list.ts'
import type { Fact, Reading } from './fact.ts'
import { readable, Unreadable } from './request.ts'
import { objectIn, seenFacts } from './seen-facts.ts'

/** What is asked to be signed with `sign_transaction`. @throws Unreadable for what is not read to its last byte */
export function transactionWords(
  sent: { readonly type: string; readonly unsignedTransaction: string },
  signWith: string,
): Reading {
  const read = chainWords.find((words) => words.read?.type === sent.type)?.read
  if (read === undefined) throw new Unreadable('a transaction of its type is not read here')
  const { seen, unseen } = readable(() => read.of(sent.unsignedTransaction, signWith))
  return saidSeen(seen, signWith, unseen)
}

/** The words of the chain first, then every value that its reader has seen, then what it does not show to policies. */
export function saidSeen(whole: SeenFields, signWith: string, unseen: readonly Fact[]): Reading {
  const seen = withoutSender(whole)
  const said = chainWords.flatMap((words) =>
    Object.hasOwn(seen, words.keyword) ? [{ words, under: objectIn(seen, words.keyword) }] : [],
  )
  const [only, ...others] = said
  if (only === undefined || others.length > 0) throw new Unreadable('it is not a transaction of one chain')
  const done = only.words.say(only.under, signWith)
  return { ...done, facts: [...done.facts, ...seenFacts(only.under, only.words.keyword), ...unseen] }
}

/** A reader works the sender out of the key. The bytes do not name the key, so the sender is not shown. */
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
