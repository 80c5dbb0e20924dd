/** The stamp of a vote, as the host shows it. */
export type ShownStamp = { readonly publicKey: string; readonly signature: string; readonly scheme: string }

/**
 * Whether a stamp is over the bytes. It proves that a key signed them; the owner of the key is only the host's word.
 */
export type StampCheck =
  | { readonly kind: 'verified'; readonly key: string }
  | { readonly kind: 'wrong' }
  /** A passkey with RSA, or a token: these cannot be verified here. */
  | { readonly kind: 'unknown' }
