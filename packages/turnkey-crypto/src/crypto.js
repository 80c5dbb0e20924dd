/**
 * `@turnkey/crypto` with the keys of one service as its defaults. A bundler puts this file in the place of the package,
 * and gives it the package and the keys under the two names that are imported here (`bundler.js`).
 */
import keys from 'claviger-service-keys'
import * as published from 'published-turnkey-crypto'

export * from 'published-turnkey-crypto'

// What is exported here by name goes before what is exported above.
export const PRODUCTION_SIGNER_SIGN_PUBLIC_KEY = keys.signer
export const PRODUCTION_NOTARIZER_SIGN_PUBLIC_KEY = keys.session
export const PRODUCTION_TLS_FETCHER_SIGN_PUBLIC_KEY = keys.otp
export const PRODUCTION_TLS_FETCHER_ENCRYPT_PUBLIC_KEY = keys.oauth2

// Some of the published functions take the key of the vendor for null, and some for an empty text.
const withSigner = (call) => (given) =>
  call({
    ...given,
    dangerouslyOverrideSignerPublicKey: given.dangerouslyOverrideSignerPublicKey || keys.signer,
  })

export const decryptExportBundle = withSigner(published.decryptExportBundle)
export const decryptSecretBundle = withSigner(published.decryptSecretBundle)
export const encryptPrivateKeyToBundle = withSigner(published.encryptPrivateKeyToBundle)
export const encryptSecretToBundle = withSigner(published.encryptSecretToBundle)
export const encryptWalletToBundle = withSigner(published.encryptWalletToBundle)

export const encryptOtpCodeToBundle = (code, target, publicKey, key) =>
  published.encryptOtpCodeToBundle(code, target, publicKey, key || keys.otp)
export const verifyOtpVerificationToken = (token, key) =>
  published.verifyOtpVerificationToken(token, key || keys.otp)
export const verifySessionJwtSignature = (token, key) =>
  published.verifySessionJwtSignature(token, key || keys.session)
export const encryptOauth2ClientSecret = (secret, key) =>
  published.encryptOauth2ClientSecret(secret, key || keys.oauth2)
