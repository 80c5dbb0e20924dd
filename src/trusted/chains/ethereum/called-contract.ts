import { toHex } from '../../base/bytes.ts'
import { readUnsignedTransaction } from './unsigned-transaction.ts'

/** The contract that an unsigned transaction calls, `0x` and lowercase; none where one is created. */
export function calledContract(bytes: Uint8Array): readonly string[] {
  const { to } = readUnsignedTransaction(bytes)
  return to === undefined ? [] : [`0x${toHex(to)}`]
}
