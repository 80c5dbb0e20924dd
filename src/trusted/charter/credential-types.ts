/** Everything that a user may stamp with, in the order of the published contract. */
export const CREDENTIAL_TYPES = [
  'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
  'CREDENTIAL_TYPE_API_KEY_P256',
  'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
  'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256',
  'CREDENTIAL_TYPE_API_KEY_ED25519',
  'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256',
  'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
  'CREDENTIAL_TYPE_OAUTH_KEY_P256',
  'CREDENTIAL_TYPE_LOGIN',
] as const

export type CredentialType = (typeof CREDENTIAL_TYPES)[number]

/** The types of an `ApiKey` in a charter: keys that were registered, and keys that logins made. */
export type KeyCredentialType = Exclude<CredentialType, 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'>

/**
 * The key that a set of shares restores (docs/decisions/break-glass.md): of no user, and so none of the types above.
 */
export const RECOVERY_SET_KEY = 'CREDENTIAL_TYPE_RECOVERY_SET_KEY_P256'
