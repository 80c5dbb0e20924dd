import { amountText, type Unit } from '../../src/host/approval/amounts.ts'
import { everyNetwork, networkOf } from '../../src/host/approval/chains/evm-networks.ts'
import type { Pinned } from './pinned.ts'

const WEI: Unit = { symbol: 'wei', decimals: 0, smallest: 'wei' }
const GWEI: Unit = { symbol: 'gwei', decimals: 9, smallest: 'wei' }

/**
 * What an amount is in, where the condition says it: `eth.tx.value` is in the coin of the one chain that it names, or
 * in wei.
 */
export function unitOf(expression: string, pinned: Pinned): Unit | undefined {
  if (expression === 'eth.tx.gas_price' || expression.startsWith('eth.tx.max_')) return GWEI
  if (expression !== 'eth.tx.value') return undefined
  const [chainId, ...others] = pinned.get('eth.tx.chain_id') ?? []
  return chainId === undefined || others.length > 0 || !/^\d+$/.test(chainId)
    ? WEI
    : networkOf(BigInt(chainId)).coin
}

/**
 * What a sum of amounts is in. A meter sums up what is sent on each chain, whichever of them the condition with the
 * limit names.
 */
export function unitOfSum(expression: string): Unit | undefined {
  return expression === 'eth.tx.value' ? everyNetwork.coin : unitOf(expression, new Map())
}

/** `0.3 ETH (300000000000000000 wei)`: exact in both. */
export function amountIn(unit: Unit, amount: bigint): string {
  return unit.decimals === 0 ? `${amount} ${unit.symbol}` : amountText(amount, unit)
}
