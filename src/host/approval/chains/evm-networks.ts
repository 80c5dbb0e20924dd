import type { Coin } from '../amounts.ts'

type Network = { readonly name: string; readonly coin: Coin }

/** By the symbol of the coin, in wei. */
const FEES_OF_NOTE: ReadonlyMap<string, bigint> = new Map([
  ['ETH', 3n * 10n ** 17n],
  ['BNB', 10n ** 18n],
  ['xDAI', 10n ** 21n],
  ['POL', 2n * 10n ** 21n],
  ['AVAX', 3n * 10n ** 19n],
])

/** A network by the chain id in its transactions. For an unlisted network, only the number is shown. */
export function networkOf(chainId: bigint): Network {
  const known = NETWORKS.get(chainId)
  const [name, symbol] = known ?? [`chain ${chainId}`, `coins of chain ${chainId}`]
  return { name: known === undefined ? name : `${name} (chain ${chainId})`, coin: coin(symbol) }
}

/** The network of a legacy transaction from before EIP-155. */
export const everyNetwork: Network = { name: 'EVERY chain', coin: coin('coins of whichever chain') }

function coin(symbol: string): Coin {
  return { symbol, decimals: 18, smallest: 'wei', feeOfNote: FEES_OF_NOTE.get(symbol) }
}

const NETWORKS: ReadonlyMap<bigint, readonly [name: string, symbol: string]> = new Map([
  [1n, ['Ethereum', 'ETH']],
  [10n, ['OP Mainnet', 'ETH']],
  [56n, ['BNB Smart Chain', 'BNB']],
  [100n, ['Gnosis', 'xDAI']],
  [137n, ['Polygon', 'POL']],
  [324n, ['ZKsync Era', 'ETH']],
  [8453n, ['Base', 'ETH']],
  [42161n, ['Arbitrum One', 'ETH']],
  [43114n, ['Avalanche C-Chain', 'AVAX']],
  [59144n, ['Linea', 'ETH']],
  [17000n, ['Holesky, a test network', 'test ETH']],
  [11155111n, ['Sepolia, a test network', 'test ETH']],
  [84532n, ['Base Sepolia, a test network', 'test ETH']],
])
