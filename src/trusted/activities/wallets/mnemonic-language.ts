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

/** The word list of an exported mnemonic (docs/decisions/wallet-export.md). */
export const mnemonicLanguage: Shape<MnemonicLanguage> = {
  read: shape.read,
  schema: {
    ...shape.schema,
    description:
      'Word list of the mnemonic. The default is the list of the wallet: English for a wallet that was created here, and for an imported wallet the list of its mnemonic. The same entropy in the words of another list is a different mnemonic with a different BIP-39 seed, so other software does not find the accounts of this wallet with it.',
  },
}
