import { fromUtf8 } from '../../base/bytes.ts'
import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { openClientBundle } from '../../crypto/bundles.ts'
import { MNEMONIC_LENGTHS, readMnemonic } from '../../crypto/mnemonic.ts'
import type { Words } from './wallet-secret.ts'

/** Decrypted content is never quoted. */
export const notAMnemonic = defineFailure({
  kind: 'notAMnemonic',
  code: INVALID_ARGUMENT,
  say: () =>
    `invalid mnemonic: the encrypted bundle does not hold ${MNEMONIC_LENGTHS.join(', ')} words of one BIP-39 word list, with the right checksum, as UTF-8`,
})

/**
 * Between a mnemonic and its passphrase. An export has only a line feed there, which would count as white space between
 * words.
 */
const DELIMITER = '\n--PASS--\n'

/**
 * Opens a bundle for the target of an import: a mnemonic of any of the nine lists, and after an optional delimiter the
 * exact passphrase. The bytes are wiped here; the strings cannot be.
 *
 * @throws  Failures `bundleNotRead`, `bundleNotOpened`, `notAMnemonic`
 */
export function wordsInBundle(encryptedBundle: string, target: Uint8Array): Words {
  const plaintext = openClientBundle(encryptedBundle, target)
  try {
    const text = fromUtf8(plaintext)
    if (text === undefined) throw notAMnemonic()
    return wordsOf(text)
  } finally {
    plaintext.fill(0)
  }
}

function wordsOf(text: string): Words {
  const end = text.indexOf(DELIMITER)
  const mnemonic = readMnemonic(end < 0 ? text : text.slice(0, end))
  if (mnemonic === undefined) throw notAMnemonic()
  return { sentence: mnemonic.sentence, passphrase: end < 0 ? '' : text.slice(end + DELIMITER.length) }
}
