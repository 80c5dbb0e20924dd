/**
 * `@turnkey/crypto` with the keys of this service in the place of those that it was published with. A bundler puts it in the
 * place of the package (an alias): `@turnkey/core` and the wallet kits name no key themselves where the package takes one.
 */
import * as published from './node_modules/@turnkey/crypto/dist/index.mjs'

export * from './node_modules/@turnkey/crypto/dist/index.mjs'

// The bundler writes them in, from `/public/v1/discovery/keys`.
const { signer, session, otp } = SERVICE_KEYS
const withSigner = (call) => (given) => call({ dangerouslyOverrideSignerPublicKey: signer, ...given })

export const encryptOtpCodeToBundle = (code, target, publicKey, key = otp) =>
  published.encryptOtpCodeToBundle(code, target, publicKey, key)
export const verifySessionJwtSignature = (token, key = session) =>
  published.verifySessionJwtSignature(token, key)
export const decryptExportBundle = withSigner(published.decryptExportBundle)
export const encryptPrivateKeyToBundle = withSigner(published.encryptPrivateKeyToBundle)
export const encryptWalletToBundle = withSigner(published.encryptWalletToBundle)
