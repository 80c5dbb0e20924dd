import { concat } from '../../../trusted/base/bytes.ts'
import { readRlp } from '../../../trusted/chains/ethereum/read-rlp.ts'
// The words of the chain are loaded already, and share the reader.
import './ethereum-words.ts'

/** The last two fields, without their leading zeros. */
export function signaturesInEthereum(signed: Uint8Array): readonly Uint8Array[] {
  const item = readRlp((signed[0] ?? 0) < LIST ? signed.subarray(1) : signed)
  const [r, s] = item instanceof Uint8Array ? [] : item.slice(-2)
  if (!(r instanceof Uint8Array && s instanceof Uint8Array)) return []
  return [concat(whole(r), whole(s))]
}

const LIST = 0xc0

function whole(number: Uint8Array): Uint8Array {
  return concat(new Uint8Array(Math.max(0, 32 - number.length)), number)
}
