import { fromHex } from '../../base/bytes.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { unreadableTransaction } from '../failures.ts'
import { type RlpItem, rlpInteger } from './rlp.ts'
import { unprefixed } from '../unprefixed.ts'

/**
 * The bytes of an unsigned transaction that was sent as hexadecimal digits of either case, with or without `0x`.
 *
 * @throws Failure `unreadableTransaction`
 */
export function transactionBytes(hex: string): Uint8Array {
  const digits = unprefixed(hex)
  if (digits.length > BYTES_MAX * 2) throw unreadableTransaction({ what: `more than ${BYTES_MAX} bytes` })
  const bytes = fromHex(digits)
  if (bytes === undefined) throw unreadableTransaction({ what: 'not an even number of hexadecimal digits' })
  if (bytes.length === 0) throw unreadableTransaction({ what: 'no bytes' })
  return bytes
}

/** The parity of the y of R, then r and s, for all but legacy transactions. */
export function signatureItems({ r, s, v }: ResourceSignature): readonly [RlpItem, RlpItem, RlpItem] {
  return [rlpInteger(parityOf(v)), rlpInteger(BigInt(`0x${r}`)), rlpInteger(BigInt(`0x${s}`))]
}

export function parityOf(v: ResourceSignature['v']): bigint {
  return v === '01' ? 1n : 0n
}

// Nodes refuse larger transactions in their pool (txMaxSize of go-ethereum).
const BYTES_MAX = 131_072
