import { aptos } from './aptos/aptos.ts'
import { bitcoin } from './bitcoin/bitcoin.ts'
import type { Chain } from './chain.ts'
import { ethereum } from './ethereum/ethereum.ts'
import { solana } from './solana/solana.ts'
import { tempo } from './tempo/tempo.ts'
import { tron } from './tron/tron.ts'

/** Every chain that is read, in the order of the interface. */
export const declaredChains = [ethereum, solana, tron, bitcoin, tempo, aptos] as const

export const chains: readonly Chain[] = declaredChains
