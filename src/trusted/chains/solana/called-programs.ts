import { solanaAddress } from '../solana-address.ts'
import { decodeMessage } from './message.ts'

/** The programs that a message calls, each once, in base58. */
export function calledPrograms(message: Uint8Array): readonly string[] {
  const { instructions, accountKeys } = decodeMessage(message)
  const keys = instructions.flatMap(({ programIndex }) => accountKeys[programIndex] ?? [])
  return [...new Set(keys.map(solanaAddress))]
}
