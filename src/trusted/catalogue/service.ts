import type { KeyObject } from 'node:crypto'
import type { TargetRules } from '../base/public-address.ts'
import type { QuorumSigner } from '../crypto/bundles.ts'
import type { Signer } from '../crypto/signature.ts'

/** What activities have of the service itself: its own keys, as far as they sign or open with them, and what it was started with. */
export type Service = {
  /** Signs what is exported and the targets of imports. */
  readonly bundleSigner: QuorumSigner
  /** Signs session tokens. */
  readonly sessionSigner: Signer
  /** Signs verification tokens, and the identity tokens of OAuth 2.0 logins. */
  readonly tokenSigner: Signer
  /** The same key: signs the targets that one-time codes are encrypted to. */
  readonly tokenBundleSigner: QuorumSigner
  /** The same key, to verify with. */
  readonly tokenVerifyKey: KeyObject
  /** Opens the client secrets of OAuth 2.0 credentials: a scalar of P-256, 32 bytes. */
  readonly oauth2Secret: Uint8Array
  /** Authenticates read-only sessions: HMAC-SHA256. */
  readonly readSessionKey: KeyObject
  /** Where webhooks may go. It spares a surprise when one is registered; what is sent is checked again when it is. */
  readonly targets: TargetRules
}
