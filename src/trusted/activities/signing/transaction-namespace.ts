import { chains } from '../../chains/list.ts'
import { struct, type Vocabulary } from '../../policy/types.ts'

/** The facts of transactions of all chains that `sign_transaction` reads. */
export const transactionNamespace = namespaceOf(chains.filter(({ transaction }) => transaction !== undefined))

/** The same for all chains, including those that sign raw payloads only. */
export const signedNamespace = namespaceOf(chains)

function namespaceOf(of: typeof chains): Vocabulary {
  return Object.fromEntries(of.map(({ keyword, namespace }) => [keyword, struct(namespace)]))
}
