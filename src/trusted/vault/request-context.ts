import type { Activity } from '../catalogue/activity.ts'
import type { Charter } from '../charter/charter.ts'
import type { Pace, Work } from '../base/work.ts'
import type { Drawing, World } from '../base/world.ts'
import type { ActivitiesByType, Submission } from '../catalogue/submission.ts'
import type { Service } from '../catalogue/service.ts'
import type { StampVerifier } from '../crypto/stamp-verify.ts'
import type { Vocabulary } from '../policy/types.ts'
import type { Identity } from './identify.ts'
import type { Keyring } from './keyring.ts'
import type { Memory } from './memory.ts'
import type { DecideRequest } from '../../protocol/vault.ts'
import type { CompiledCharter, CompiledCharters } from './compiled-charter.ts'

/** What the vault judges with; it stays the same from request to request. */
export type VaultContext = {
  readonly world: World
  readonly keyring: Keyring
  readonly compiledCharters: CompiledCharters
  readonly memory: Memory
  readonly types: ActivitiesByType
  readonly vocabulary: Vocabulary
  readonly service: Service
  readonly verifyStamp: StampVerifier
  readonly pace: Pace
  /** Of this decision, where the world has randomness for each. */
  readonly drawing?: Drawing
  readonly emulation?: Emulation
}

/** What an emulator asks of its vault beside what the vault does. It can make a request wait, and never allow one. */
export type Emulation = {
  /** Takes requests of any time: suites have clocks of their own. */
  readonly anyTimestamp: boolean
  /** Whether an allowed request waits for one vote more all the same. */
  readonly awaitsVote: (fingerprint: string) => boolean
}

/** Everything known of one request once its signer is known. */
export type RequestContext = {
  readonly vaultContext: VaultContext
  readonly request: DecideRequest
  readonly submission: Submission
  readonly compiled: CompiledCharter
  /** Of the parent organization, where it was brought. */
  readonly parent: CompiledCharter | undefined
  /** Where passkeys may be used from: the organization's own word, or its parent's; anywhere when undefined. */
  readonly origins: readonly string[] | undefined
  readonly identity: Identity
  readonly now: number
  readonly work: Work
}

/** Whose policies and root quorum judge: those of the organization that the person who made the request belongs to. */
export function governingCharter({ compiled, parent }: RequestContext, proposerId: string): CompiledCharter {
  const isOfParent = parent?.charter.users.some(({ userId }) => userId === proposerId) === true
  return isOfParent ? parent : compiled
}

/** The charters that a decision about this activity rests on. */
export function chartersOf(
  context: RequestContext,
  activity: Activity,
  governing: CompiledCharter,
): readonly Charter[] {
  const { compiled, parent } = context
  const usesParent = activity.looksAtParent === true || governing !== compiled
  return usesParent && parent !== undefined ? [compiled.charter, parent.charter] : [compiled.charter]
}

/** Who hears of what happens in an organization: itself and its parent. */
export function audienceOf({ organizationId, parentId }: Charter): readonly string[] {
  return parentId === null ? [organizationId] : [organizationId, parentId]
}
