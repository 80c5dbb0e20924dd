import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import * as crypto from '@turnkey/crypto'
import { TurnkeyProvider, useTurnkey } from '@turnkey/react-wallet-kit'
import styles from '@turnkey/react-wallet-kit/styles.css'

// An application as any is built with the kit; what the kit gives to components is given to the test.
function Application() {
  globalThis.kit = useTurnkey()
  return null
}

globalThis.open = (config) => {
  document.head.appendChild(document.createElement('style')).textContent = styles
  const root = createRoot(document.body.appendChild(document.createElement('main')))
  root.render(createElement(TurnkeyProvider, { config }, createElement(Application)))
}

// Errors cross over to the test as text, with what they were made of.
globalThis.ask = async (name, ...given) => {
  try {
    return await kit[name](...given)
  } catch (error) {
    throw new Error([name, error.message, error.cause].join(': '))
  }
}

// What an application encrypts and decrypts itself where it embeds no frames.
Object.assign(globalThis, {
  generateP256KeyPair: crypto.generateP256KeyPair,
  decryptExportBundle: crypto.decryptExportBundle,
  encryptWalletToBundle: crypto.encryptWalletToBundle,
  encryptPrivateKeyToBundle: crypto.encryptPrivateKeyToBundle,
  verifySessionJwtSignature: crypto.verifySessionJwtSignature,
})
