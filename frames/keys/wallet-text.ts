import { badBundle } from '../failures.ts'

/** The sentence of an exported wallet, and on a line of its own the passphrase where it has one. @throws Failure `badBundle` */
export function walletText(plaintext: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(plaintext)
  } catch {
    throw badBundle({ why: 'it does not hold the sentence of a wallet; is it the bundle of a key?' })
  }
}
