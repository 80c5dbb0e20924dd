/**
 * The user was present, no flag contradicts another, and there are bytes after the counter exactly when a flag says so.
 */
export function isConsent(authenticatorData: Uint8Array): boolean {
  const flags = authenticatorData[32] ?? 0
  if (authenticatorData.length < 37 || (flags & USER_PRESENT) === 0) return false
  if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0) return false
  const hasMore = (flags & (HAS_CREDENTIAL | HAS_EXTENSIONS)) !== 0
  return hasMore === authenticatorData.length > 37
}

/**
 * Whether the authenticator says that it has verified the user, by a PIN or a fingerprint, and not only their presence.
 */
export function isUserVerified(authenticatorData: Uint8Array): boolean {
  return ((authenticatorData[32] ?? 0) & USER_VERIFIED) !== 0
}

// WebAuthn level 3, section 6.1
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const HAS_CREDENTIAL = 0x40
const HAS_EXTENSIONS = 0x80
