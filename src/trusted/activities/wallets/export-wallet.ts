import type { Secret } from '../../base/secret.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById, place } from '../../catalogue/objects.ts'
import { object, optional, text, uuid } from '../../catalogue/shape.ts'
import { exportBundle } from '../../crypto/bundles.ts'
import { type MnemonicLanguage, mnemonicIn } from '../../crypto/mnemonic.ts'
import {
  invalidTargetPublicKey,
  targetKey,
  targetKeyFacts,
  targetKeyTypes,
  targetPublicKey,
} from '../private-keys/target-key.ts'
import { mnemonicLanguage } from './mnemonic-language.ts'
import { knownWallet, walletNotFound, wallets } from '../../objects/wallet.ts'
import { walletFacts, walletNamespace } from './wallet-facts.ts'
import { wordsIn, wordsSecret } from './wallet-secret.ts'

export const exportWallet = defineActivity({
  operation: 'export_wallet',
  summary: 'Export the mnemonic of a wallet, encrypted to a key of the caller',
  forms: form(
    'ACTIVITY_TYPE_EXPORT_WALLET',
    object({ walletId: uuid, targetPublicKey, language: optional(mnemonicLanguage) }),
    {
      key: 'exportWalletResult',
      shape: object({ walletId: uuid, exportBundle: text({ max: 65_536 }) }),
    },
  ),
  resource: 'WALLET',
  action: 'EXPORT',
  authority: { kind: 'policies' },
  amends: true,
  fails: [walletNotFound, invalidTargetPublicKey],
  example: {
    intent: {
      walletId: '0198c5a0-7d3c-7000-8000-000000000001',
      targetPublicKey:
        '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2',
      language: 'MNEMONIC_LANGUAGE_ENGLISH',
    },
    result: {
      walletId: '0198c5a0-7d3c-7000-8000-000000000001',
      exportBundle:
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
    },
  },
  params: { types: targetKeyTypes, of: (intent) => targetKeyFacts(intent) },
  validate: (intent) => {
    targetKey(intent.targetPublicKey)
  },
  needs: ({ walletId }) => ({ wallets: objectsById(wallets, [walletId]) }),
  namespaces: walletNamespace,
  facts: ({ rows }) => walletFacts(rows.wallets),

  execute({ intent, charter: { organizationId }, rows, now, randomBytes, service }) {
    const { walletId } = intent
    const { body, secret } = knownWallet(rows.wallets, walletId, organizationId)
    const to = { receiver: targetKey(intent.targetPublicKey), organizationId }
    const plaintext = wordsToExport(secret, intent.language)
    const bundle = exportBundle(plaintext.reveal(), to, service.bundleSigner, randomBytes)
    plaintext.wipe()
    return {
      result: { walletId, exportBundle: bundle },
      put: [place(wallets, walletId, { ...body, exported: true, updatedAt: now }, secret)],
    }
  },
})

/** A separate secret: the mnemonic, and after a line feed the passphrase where there is one. */
function wordsToExport(secret: Secret, to: MnemonicLanguage | undefined): Secret {
  const { sentence, passphrase } = wordsIn(secret)
  return wordsSecret({ sentence: to === undefined ? sentence : mnemonicIn(sentence, to), passphrase })
}
