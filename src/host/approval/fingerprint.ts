import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../trusted/base/bytes.ts'

/** The fingerprint of a request and its eight digits, both computed here from the bytes. */
export type Fingerprint = {
  /** `sha256:` and 64 hex digits, as in a vote. */
  readonly text: string
  /** For comparison between two people or two screens: `1234 5678`. */
  readonly digits: string
}

export function fingerprintOf(request: Uint8Array): Fingerprint {
  const hash = toHex(sha256(request))
  const number = BigInt(`0x${hash.slice(0, 16)}`) % 100_000_000n
  const digits = String(number).padStart(8, '0')
  return { text: `sha256:${hash}`, digits: `${digits.slice(0, 4)} ${digits.slice(4)}` }
}
