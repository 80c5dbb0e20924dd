import { equalBytes, fromUtf8, utf8 } from '../../../trusted/base/bytes.ts'

/**
 * The message that wallets sign under EIP-191, version 0x45, from the bytes that are hashed for it.
 *
 * @returns undefined for other bytes, and if the length before the message is wrong
 */
export function signedMessageIn(bytes: Uint8Array): Uint8Array | undefined {
  const prefix = utf8(PREFIX)
  if (!equalBytes(bytes.subarray(0, prefix.length), prefix)) return undefined
  // A message may itself begin with digits: the right length is the one that fits.
  for (let end = prefix.length + 1; end <= prefix.length + DIGITS_MAX; end++) {
    const length = fromUtf8(bytes.subarray(prefix.length, end))
    if (length !== undefined && length === String(bytes.length - end)) return bytes.subarray(end)
  }
  return undefined
}

const PREFIX = '\x19Ethereum Signed Message:\n'
const DIGITS_MAX = 7
