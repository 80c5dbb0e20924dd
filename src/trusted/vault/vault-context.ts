import type { KeyedMutex } from '../base/keyed-mutex.ts'
import type { Pace } from '../base/work.ts'
import type { Drawing, World } from '../base/world.ts'
import type { ActivitiesByType } from '../catalogue/submission.ts'
import type { Service } from '../catalogue/service.ts'
import type { StampVerifier } from '../crypto/stamp-verify.ts'
import type { Vocabulary } from '../policy/types.ts'
import type { CompiledCharters } from './charters/compiled-charters.ts'
import type { Keyring } from './keys/keyring.ts'
import type { Memory } from './memory/memory.ts'
import type { ShownHeartbeats } from './recovery/shown-heartbeats.ts'

/** The context of all decisions of a vault; the same for every request. */
export type VaultContext = {
  readonly world: World
  readonly keyring: Keyring
  readonly compiledCharters: CompiledCharters
  readonly memory: Memory
  readonly shownHeartbeats: ShownHeartbeats
  /**
   * Requests with the same meter take turns, so that each is decided on the state after the previous one; correctness
   * does not depend on this.
   */
  readonly meterTurns: KeyedMutex
  readonly types: ActivitiesByType
  readonly vocabulary: Vocabulary
  readonly service: Service
  readonly verifyStamp: StampVerifier
  readonly pace: Pace
  /** The randomness of this decision, where the world has one for each. */
  readonly drawing?: Drawing
  readonly emulation?: Emulation
}

/** Options that only an emulator sets. They can make a request wait, but never allow one. */
export type Emulation = {
  /** Accepts requests with any timestamp: test suites have their own clocks. */
  readonly anyTimestamp: boolean
  /** Whether an allowed request must still wait for one more vote. */
  readonly awaitsVote: (fingerprint: string) => boolean
}
