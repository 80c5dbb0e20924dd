import type { Vocabulary } from '../../policy/types.ts'
import { bitcoinNamespace } from './bitcoin-namespace.ts'
import { ethNamespace } from './eth-namespace.ts'
import { solanaNamespace } from './solana-namespace.ts'
import { tempoNamespace } from './tempo-namespace.ts'
import { tronNamespace } from './tron-namespace.ts'

/** What policies may name of what is signed, on every chain. */
export const transactionNamespace: Vocabulary = {
  eth: ethNamespace,
  tempo: tempoNamespace,
  ...bitcoinNamespace,
  ...solanaNamespace,
  ...tronNamespace,
}
