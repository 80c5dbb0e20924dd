import { base58 } from '@scure/base'
import { serializeTransaction } from 'viem'

/** An unsigned transaction of Ethereum (EIP-1559), in hexadecimal. */
export function payment(sent: {
  readonly value: bigint
  readonly to: string
  readonly nonce?: number
  readonly chainId?: number
  readonly data?: string
}): string {
  const { value, to, nonce = 0, chainId = 1, data } = sent
  return serializeTransaction({
    chainId,
    nonce,
    // Tests name addresses and data as texts, all of which begin with 0x.
    to: to as `0x${string}`,
    value,
    gas: 60_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
    ...(data === undefined ? {} : { data: data as `0x${string}` }),
  })
}

/** An unsigned transfer of 1.5 SOL, in hexadecimal, as libraries serialize it: an empty signature and a message. */
export function solTransfer(from: string, to: string): string {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(1_500_000_000n)
  const system = Buffer.alloc(32)
  const message = [
    Buffer.from([1, 0, 1, 3]),
    base58.decode(from),
    base58.decode(to),
    system,
    Buffer.alloc(32, 7),
    Buffer.from([1, 2, 2, 0, 1, 12, 2, 0, 0, 0]),
    amount,
  ]
  return Buffer.concat([Buffer.from([1]), Buffer.alloc(64), ...message]).toString('hex')
}
