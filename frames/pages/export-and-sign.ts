import { openExportBundle } from '../bundles/export-bundle.ts'
import { type Bytes, importPrivateKey } from '../bundles/p256-keys.ts'
import type { Fields } from '../channel/fields.ts'
import { type Answering, openChannel } from '../channel/open-channel.ts'
import { readConfig } from '../config.ts'
import { heldKeys } from '../keys/held-keys.ts'
import { overridableKey } from '../keys/overridable-key.ts'
import { applySettings } from '../settings/apply-settings.ts'
import { walletText } from '../keys/wallet-text.ts'
import { keyMessages } from './key-messages.ts'
import { openEmbeddedKey } from './open-embedded-key.ts'
import { signMessages } from './sign-messages.ts'
import { textBox } from './text-box.ts'

// The frame that signs for a page, with keys that came to it encrypted and that live as long as the page of the frame.
const { allowedOrigins, signerKey } = readConfig(document)
const text = textBox(window, 'Exported wallet')

openChannel(window, allowedOrigins, async (opening) => {
  const embedded = overridableKey(await openEmbeddedKey('export-and-sign', opening))
  const keys = heldKeys()
  const openBundle = async (fields: Fields): Promise<Bytes> => {
    const organizationId = fields.text('organizationId')
    return await openExportBundle(fields.text('value'), { signerKey, organizationId }, await embedded.use())
  }
  return {
    publicKey: await embedded.publicKey(),
    answers: new Map<string, Answering>([
      ...keyMessages(embedded),
      ...signMessages(keys),
      [
        'INJECT_KEY_EXPORT_BUNDLE',
        async (fields) => {
          const keyFormat = fields.optionalText('keyFormat')
          const address = fields.optionalText('address')
          const key = await openBundle(fields)
          try {
            keys.hold(key, { keyFormat, address })
          } catch (error) {
            key.fill(0)
            throw error
          }
          return ['BUNDLE_INJECTED', true]
        },
      ],
      [
        'INJECT_WALLET_EXPORT_BUNDLE',
        async (fields) => {
          const plaintext = await openBundle(fields)
          try {
            text.textContent = walletText(plaintext)
          } finally {
            plaintext.fill(0)
          }
          return ['BUNDLE_INJECTED', true]
        },
      ],
      [
        'SET_EMBEDDED_KEY_OVERRIDE',
        async (fields) => {
          const scalar = await openBundle(fields)
          try {
            embedded.override(await importPrivateKey(scalar, 'decrypt'))
          } finally {
            scalar.fill(0)
          }
          return ['EMBEDDED_KEY_OVERRIDE_SET', true]
        },
      ],
      [
        'RESET_TO_DEFAULT_EMBEDDED_KEY',
        async () => {
          embedded.override(undefined)
          return ['RESET_TO_DEFAULT_EMBEDDED_KEY', true]
        },
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
