import { object, oneOf, text } from '../../catalogue/shape.ts'

// The message of a sign-up repeats the user's credentials: ten passkeys in TPMs have 80,000 characters, which leaves
// enough for ten keys and ten identity tokens.
const MESSAGE_CHARACTERS_MAX = 131_072

/** `ClientSignature`, of logins and sign-ups. */
export const clientSignatureParams = object({
  publicKey: text({ min: 1, max: 256 }),
  scheme: oneOf(['CLIENT_SIGNATURE_SCHEME_API_P256']),
  message: text({ min: 1, max: MESSAGE_CHARACTERS_MAX }),
  signature: text({ min: 1, max: 512 }),
})

/** A token in its compact form; `readVerificationToken` checks it. */
export const verificationTokenText = text({ min: 1, max: 16_384 })
