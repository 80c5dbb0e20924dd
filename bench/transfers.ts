import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem'

export const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const signature = 'function transfer(address to, uint256 amount)'
const abi = parseAbi([signature])

/** The interface of the token, as an organization uploads it. */
export const TOKEN_INTERFACE = JSON.stringify(abi)

/** An unsigned EIP-1559 transaction that sends some ether. */
export function etherTransfer(nonce: number): string {
  return serializeTransaction({ ...common(nonce), gas: 21_000n, to: RECIPIENT, value: 1_000_000_000n })
}

/** An unsigned EIP-1559 transaction that sends some of the token (ERC-20). */
export function tokenTransfer(nonce: number): string {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [RECIPIENT, 25_000_000n] })
  return serializeTransaction({ ...common(nonce), gas: 65_000n, to: TOKEN, data })
}

function common(nonce: number) {
  return {
    type: 'eip1559' as const,
    chainId: 1,
    nonce,
    maxFeePerGas: 30_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  }
}
