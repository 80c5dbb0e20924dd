import type { KeyObject } from 'node:crypto'
import type { TargetRules } from '../base/public-address.ts'
import type { QuorumSigner } from '../crypto/bundles.ts'
import type { Signer } from '../crypto/signature.ts'

/** The service itself, as activities see it: its own keys, as far as activities sign or open with them, and its settings. */
export type Service = {
  /** Signs exports and the targets of imports. */
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
  /** The addresses that webhooks may go to. A check at registration spares a surprise; each delivery is checked again. */
  readonly targets: TargetRules
}
