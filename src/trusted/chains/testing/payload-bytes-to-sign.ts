import { finished } from '../../base/work.ts'
import { chains } from '../list.ts'
import type { RawPayload } from '../payload.ts'
import { readPayload } from '../read-payload.ts'

/** The bytes to sign of a payload, for any key. */
export function payloadBytesToSign(raw: RawPayload): Uint8Array {
  const ofCurve = chains.find(({ curve }) => curve === raw.curve) ?? chains[0]
  const { publicKey = '', signWith = '' } = ofCurve?.example ?? {}
  return finished(readPayload(raw, { curve: raw.curve, publicKey, signWith, interfaces: [] })).bytes
}
