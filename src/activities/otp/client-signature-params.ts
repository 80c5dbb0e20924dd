import { object, oneOf, text } from '../../catalogue/shape.ts'

const MESSAGE_CHARACTERS_MAX = 32_768

/** `ClientSignature`, of logins and sign-ups. */
export const clientSignatureParams = object({
  publicKey: text({ min: 1, max: 256 }),
  scheme: oneOf(['CLIENT_SIGNATURE_SCHEME_API_P256']),
  message: text({ min: 1, max: MESSAGE_CHARACTERS_MAX }),
  signature: text({ min: 1, max: 512 }),
})

/** A token in its compact form; `readVerificationToken` says what is wrong with one. */
export const verificationTokenText = text({ min: 1, max: 16_384 })
