import { chains } from '../../chains/list.ts'
import { struct, type Vocabulary } from '../../policy/types.ts'

/** What policies may name of a transaction, of every chain that `sign_transaction` reads. */
export const transactionNamespace = namespaceOf(chains.filter(({ transaction }) => transaction !== undefined))

/** The same of what is signed in any way. */
export const signedNamespace = namespaceOf(chains)

function namespaceOf(of: typeof chains): Vocabulary {
  return Object.fromEntries(of.map(({ keyword, namespace }) => [keyword, struct(namespace)]))
}
