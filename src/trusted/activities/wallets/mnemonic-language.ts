import { oneOf, type Shape } from '../../catalogue/shape.ts'
import type { MnemonicLanguage } from '../../crypto/mnemonic.ts'

const LANGUAGES: readonly MnemonicLanguage[] = [
  'MNEMONIC_LANGUAGE_ENGLISH',
  'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE',
  'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE',
  'MNEMONIC_LANGUAGE_CZECH',
  'MNEMONIC_LANGUAGE_FRENCH',
  'MNEMONIC_LANGUAGE_ITALIAN',
  'MNEMONIC_LANGUAGE_JAPANESE',
  'MNEMONIC_LANGUAGE_KOREAN',
  'MNEMONIC_LANGUAGE_SPANISH',
]

const shape = oneOf(LANGUAGES)

/** The word list that a mnemonic is exported in (docs/decisions/wallet-export.md). */
export const mnemonicLanguage: Shape<MnemonicLanguage> = {
  read: shape.read,
  schema: {
    ...shape.schema,
    description:
      'Word list of the mnemonic. Left out, it is the one that the wallet has: English for every wallet that was made here, and for an imported one the list that it came in. The same entropy in the words of another list is another mnemonic, from which BIP-39 makes another seed: other software does not find the accounts of this wallet with it.',
  },
}
