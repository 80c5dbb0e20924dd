import { aptosWords } from './aptos-words.ts'
import { bitcoinWords } from './bitcoin-words.ts'
import type { ChainWords } from './chain-words.ts'
import { ethereumWords } from './ethereum-words.ts'
import { solanaWords } from './solana-words.ts'
import { tempoWords } from './tempo-words.ts'
import { tronWords } from './tron-words.ts'

/** Every chain whose transactions are said in words; the same that the vault reads. */
export const chainWords: readonly ChainWords[] = [
  ethereumWords,
  solanaWords,
  tronWords,
  bitcoinWords,
  tempoWords,
  aptosWords,
]
