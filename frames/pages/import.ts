import { encryptedImport, readImportTarget } from '../bundles/import-bundle.ts'
import type { Bytes } from '../bundles/p256-keys.ts'
import { type Answer, type Answering, openChannel } from '../channel/open-channel.ts'
import { readConfig } from '../config.ts'
import { noImportTarget, nothingTyped } from '../failures.ts'
import { decodedKey } from '../keys/key-format.ts'
import { walletBytes } from '../keys/wallet-text.ts'
import { applySettings } from '../settings/apply-settings.ts'
import { importForm, type Typed } from './import-form.ts'

// The frame that a person types a sentence or a key into. It leaves the frame encrypted to the service, and in no other
// way.
const { allowedOrigins, signerKey } = readConfig(document)
const form = importForm(window)

openChannel(window, allowedOrigins, async () => {
  let target: Bytes | undefined
  const extract = async (plaintextOf: (typed: Typed) => Bytes): Promise<Answer> => {
    if (target === undefined) throw noImportTarget()
    const typed = form.typed()
    if (typed.text.trim() === '') throw nothingTyped()
    const plaintext = plaintextOf(typed)
    const bundle = await encryptedImport(target, plaintext)
    plaintext.fill(0)
    // The service takes each target once.
    target = undefined
    form.clear()
    return ['ENCRYPTED_BUNDLE_EXTRACTED', bundle]
  }
  return {
    publicKey: '',
    answers: new Map<string, Answering>([
      [
        'INJECT_IMPORT_BUNDLE',
        async (fields) => {
          const organizationId = fields.text('organizationId')
          const userId = fields.text('userId')
          target = undefined
          target = await readImportTarget(fields.text('value'), { signerKey, organizationId, userId })
          return ['BUNDLE_INJECTED', true]
        },
      ],
      ['EXTRACT_WALLET_ENCRYPTED_BUNDLE', () => extract(walletBytes)],
      [
        'EXTRACT_KEY_ENCRYPTED_BUNDLE',
        (fields) => extract(({ text }) => decodedKey(fields.optionalText('keyFormat'), text)),
      ],
      [
        'APPLY_SETTINGS',
        async (fields) => {
          applySettings(form, fields)
          return ['SETTINGS_APPLIED', true]
        },
      ],
    ]),
  }
})
