import { decryptExportBundle, encryptWalletToBundle, generateP256KeyPair } from '@turnkey/crypto'

/**
 * What the dialogs of the kit ask of a frame for export and of one for import, and no more: its key serves one page, and
 * nothing is kept from who embeds it but what an origin of its own keeps.
 */
const { privateKey, publicKeyUncompressed } = generateP256KeyPair()
const text = document.body.appendChild(document.createElement('textarea'))
let importing

const answers = {
  APPLY_SETTINGS: async () => ['SETTINGS_APPLIED', true],
  INJECT_WALLET_EXPORT_BUNDLE: async ({ value, organizationId }) => {
    const exported = { exportBundle: value, embeddedKey: privateKey, organizationId, returnMnemonic: true }
    text.value = await decryptExportBundle(exported)
    return ['BUNDLE_INJECTED', true]
  },
  INJECT_IMPORT_BUNDLE: async ({ value, organizationId, userId }) => {
    importing = { importBundle: value, organizationId, userId }
    return ['BUNDLE_INJECTED', true]
  },
  EXTRACT_WALLET_ENCRYPTED_BUNDLE: async () => {
    const bundle = await encryptWalletToBundle({ mnemonic: text.value, ...importing })
    return ['ENCRYPTED_BUNDLE_EXTRACTED', bundle]
  },
}

addEventListener('message', ({ data, ports: [port] }) => {
  if (data.type !== 'TURNKEY_INIT_MESSAGE_CHANNEL') return
  port.onmessage = async ({ data: { type, requestId, ...given } }) => {
    const failed = (error) => ['ERROR', String(error)]
    const answer = answers[type] ?? (async () => failed(`no such message: ${type}`))
    const [answered, value] = await answer(given).catch(failed)
    port.postMessage({ type: answered, value, requestId })
  }
  port.postMessage({ type: 'PUBLIC_KEY_READY', value: publicKeyUncompressed })
})
