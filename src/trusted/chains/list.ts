import { aptos } from './aptos/aptos.ts'
import { bitcoin } from './bitcoin/bitcoin.ts'
import type { Chain } from './chain.ts'
import { ethereum } from './ethereum/ethereum.ts'
import { solana } from './solana/solana.ts'
import { tempo } from './tempo/tempo.ts'
import { tron } from './tron/tron.ts'

/** All supported chains, in the order of the interface. */
export const declaredChains = [ethereum, solana, tron, bitcoin, tempo, aptos] as const

export const chains: readonly Chain[] = declaredChains
