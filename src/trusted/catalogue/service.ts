import type { KeyObject } from 'node:crypto'
import type { TargetRules } from '../base/public-address.ts'
import type { Ms } from '../base/world.ts'
import type { QuorumSigner } from '../crypto/bundles.ts'
import type { Signer } from '../crypto/signature.ts'

/**
 * The service itself, as activities see it: its own keys, as far as activities sign or open with them, and its
 * settings. A key that signs is the version that is used when it is asked for.
 */
export type Service = {
  /** Signs exports and the targets of imports. */
  readonly bundleSigner: QuorumSigner
  /** Signs session tokens. */
  readonly sessionSigner: Signer
  /** Signs verification tokens, and the identity tokens of OAuth 2.0 logins. */
  readonly tokenSigner: Signer
  /** The same key: signs the targets that one-time codes are encrypted to. */
  readonly tokenBundleSigner: QuorumSigner
  /** Each version of the same key that verifies at this instant. */
  readonly tokenVerifyKeys: (at: Ms) => readonly KeyObject[]
  /**
   * Open the client secrets of OAuth 2.0 credentials: scalars of P-256, 32 bytes each, first the one that is used, then
   * all others.
   */
  readonly oauth2Secrets: readonly [Uint8Array, ...Uint8Array[]]
  /** Authenticates new read-only sessions: HMAC-SHA256. */
  readonly readSessionKey: KeyObject
  /** Each version of the same key that verifies at this instant. */
  readonly readSessionKeys: (at: Ms) => readonly KeyObject[]
  /**
   * The addresses that webhooks may go to. A check at registration spares a surprise; each delivery is checked again.
   */
  readonly targets: TargetRules
}
