import { openExportBundle } from '../bundles/export-bundle.ts'
import type { Fields } from '../channel/fields.ts'
import { type Answer, type Answering, openChannel } from '../channel/open-channel.ts'
import { readConfig } from '../config.ts'
import { expectAddress } from '../keys/expect-address.ts'
import { encodedKey } from '../keys/key-format.ts'
import { applySettings } from '../settings/apply-settings.ts'
import { walletText } from '../keys/wallet-text.ts'
import { keyMessages } from './key-messages.ts'
import { openEmbeddedKey } from './open-embedded-key.ts'
import { textBox } from './text-box.ts'

// The frame that shows a person a key that came to it encrypted. The page around it never has the key.
const { allowedOrigins, signerKey } = readConfig(document)
const text = textBox(window, 'Exported key')

openChannel(window, allowedOrigins, async (opening) => {
  const key = await openEmbeddedKey('export', opening)
  /** A bundle opens once: what was stolen of it is of no use to anybody afterwards, in this frame either. */
  const show = async (
    fields: Fields,
    write: (plaintext: Uint8Array<ArrayBuffer>) => string,
  ): Promise<Answer> => {
    const organizationId = fields.text('organizationId')
    const plaintext = await openExportBundle(
      fields.text('value'),
      { signerKey, organizationId },
      await key.use(),
    )
    try {
      text.textContent = write(plaintext)
    } finally {
      plaintext.fill(0)
    }
    await key.reset()
    return ['BUNDLE_INJECTED', true]
  }
  return {
    publicKey: await key.publicKey(),
    answers: new Map<string, Answering>([
      ...keyMessages(key),
      ['INJECT_WALLET_EXPORT_BUNDLE', (fields) => show(fields, walletText)],
      [
        'INJECT_KEY_EXPORT_BUNDLE',
        (fields) =>
          show(fields, (plaintext) => {
            const keyFormat = fields.optionalText('keyFormat')
            const encoded = encodedKey(keyFormat, plaintext)
            const address = fields.optionalText('address')
            if (address !== undefined) expectAddress(address, plaintext)
            return encoded
          }),
      ],
      [
        'APPLY_SETTINGS',
        async (fields) => {
          applySettings({ text }, fields)
          return ['SETTINGS_APPLIED', true]
        },
      ],
    ]),
  }
})
