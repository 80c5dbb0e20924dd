import { equalBytes } from '../../../trusted/base/bytes.ts'
import { decodeMessage } from '../../../trusted/chains/solana/message.ts'
import { splitTransaction } from '../../../trusted/chains/solana/wire-message.ts'
// The words of the chain are loaded already, and share the reader.
import './solana-words.ts'

/** The position of each signature is that of its key among the accounts. */
export function signaturesInSolana(
  signed: Uint8Array,
  _: Uint8Array,
  publicKey: Uint8Array,
): readonly Uint8Array[] {
  const { slotsAt, message } = splitTransaction(signed)
  const slot = decodeMessage(message).accountKeys.findIndex((key) => equalBytes(key, publicKey))
  return slot < 0 ? [] : [signed.subarray(slotsAt + 64 * slot, slotsAt + 64 * (slot + 1))]
}
