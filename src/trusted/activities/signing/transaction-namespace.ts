import { chains } from '../../chains/list.ts'
import { struct, type Vocabulary } from '../../policy/types.ts'

/** What policies may name of what is signed, on every chain. */
export const transactionNamespace: Vocabulary = Object.fromEntries(
  chains.map(({ keyword, namespace }) => [keyword, struct(namespace)]),
)
