import { Secret } from '../../trusted/base/secret.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { likeClaviger } from '../optional-package.ts'

/** Shares of a key as sentences of 33 words (SLIP-0039): one group, no passphrase. */
type Slip39 = {
  /** @param threshold  the number of shares that restore the key, from 2 to all */
  readonly split: (key: Secret, threshold: number, shares: number) => readonly string[]
  /** Whether every word is in the list and the checksum is right. */
  readonly isShare: (text: string) => boolean
  /** @throws RootKeyError */
  readonly combined: (shares: readonly string[]) => Secret
}

/**
 * The library changes the prototypes of arrays and strings, and its errors quote shares. Only the process of the seal
 * and the command that makes shares load it; its messages are not passed on.
 */
export async function loadSlip39(): Promise<Slip39> {
  const library = await slip39()
  return {
    split: (key, threshold, shares) =>
      library.fromArray([...key.reveal()], { threshold: 1, groups: [[threshold, shares, '']] }).root
        .mnemonics,
    isShare: (text) => library.validateMnemonic(text),
    combined: (shares) => {
      try {
        return new Secret(Uint8Array.from(library.recoverSecret(shares, '')))
      } catch {
        throw new RootKeyError('the shares do not fit together')
      }
    },
  }
}

async function slip39() {
  try {
    return (await import('slip39')).default
  } catch {
    // A clone has it as a development tool; the package does not.
    throw new RootKeyError(`shares need the package slip39: npm install slip39@0.1.9${likeClaviger}`)
  }
}
