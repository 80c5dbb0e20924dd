import type { KeyedMutex } from '../base/keyed-mutex.ts'
import type { Pace } from '../base/work.ts'
import type { Drawing, World } from '../base/world.ts'
import type { ActivitiesByType } from '../catalogue/submission.ts'
import type { Service } from '../catalogue/service.ts'
import type { StampVerifier } from '../crypto/stamp-verify.ts'
import type { Vocabulary } from '../policy/types.ts'
import type { CompiledCharters } from './compiled-charter.ts'
import type { Keyring } from './keyring.ts'
import type { Memory } from './memory.ts'

/** What the vault judges with; it stays the same from request to request. */
export type VaultContext = {
  readonly world: World
  readonly keyring: Keyring
  readonly compiledCharters: CompiledCharters
  readonly memory: Memory
  /** Requests with one meter take turns, so that each is decided on what the one before leaves; exactness does not rest on it. */
  readonly meterTurns: KeyedMutex
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
