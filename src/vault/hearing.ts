import type { World } from '../base/world.ts'
import type { ActivitiesByType, Submission } from '../catalogue/submission.ts'
import type { QuorumSigner } from '../crypto/bundles.ts'
import type { StampVerifier } from '../crypto/stamp-verify.ts'
import type { Vocabulary } from '../policy/types.ts'
import type { Identity } from './identify.ts'
import type { Keyring } from './keyring.ts'
import type { DecideRequest } from './protocol.ts'
import type { Standing, Standings } from './standing.ts'

/** What the vault judges with; it stays the same from request to request. */
export type Judge = {
  readonly world: World
  readonly keyring: Keyring
  readonly standings: Standings
  readonly types: ActivitiesByType
  readonly vocabulary: Vocabulary
  readonly bundleSigner: QuorumSigner
  readonly verifyStamp: StampVerifier
}

/** Everything known of one request once its signer is known. */
export type Hearing = {
  readonly judge: Judge
  readonly request: DecideRequest
  readonly submission: Submission
  readonly standing: Standing
  /** Where passkeys may be used from: the organization's own word, or its parent's; anywhere when undefined. */
  readonly origins: readonly string[] | undefined
  readonly identity: Identity
  readonly now: number
}
