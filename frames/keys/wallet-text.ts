import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Bytes } from '../bundles/p256-keys.ts'
import { badBundle } from '../failures.ts'

/**
 * The sentence of an exported wallet, and on a line of its own the passphrase where it has one.
 *
 * @throws Failure `badBundle`
 */
export function walletText(plaintext: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(plaintext)
  } catch {
    throw badBundle({ why: 'it does not hold the sentence of a wallet; is it the bundle of a key?' })
  }
}

/** The words of a sentence between single spaces, however they were pasted; a passphrase follows as it was typed. */
export function walletBytes({
  text,
  passphrase,
}: {
  readonly text: string
  readonly passphrase: string
}): Bytes {
  const words = text.trim().split(/\s+/).join(' ')
  return utf8ToBytes(passphrase === '' ? words : `${words}\n--PASS--\n${passphrase}`) as Bytes // noble makes it anew
}
