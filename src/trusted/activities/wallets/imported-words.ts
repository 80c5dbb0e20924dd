import { fromUtf8 } from '../../base/bytes.ts'
import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { openClientBundle } from '../../crypto/bundles.ts'
import { MNEMONIC_LENGTHS, readMnemonic } from '../../crypto/mnemonic.ts'
import type { Words } from './wallet-secret.ts'

/** What was decrypted is never quoted. */
export const notAMnemonic = defineFailure({
  kind: 'notAMnemonic',
  code: INVALID_ARGUMENT,
  say: () =>
    `invalid mnemonic: the encrypted bundle does not hold ${MNEMONIC_LENGTHS.join(', ')} words of one BIP-39 word list, with the right checksum, as UTF-8`,
})

/** Between a mnemonic and its passphrase. An export has a line feed alone there, which between words is only white space. */
const DELIMITER = '\n--PASS--\n'

/**
 * What a client encrypted to the target of an import: a mnemonic of any of the nine lists, and after the delimiter, where there
 * is one, the passphrase, exactly as it is. The bytes are wiped here; the texts cannot be.
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
