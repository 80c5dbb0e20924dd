import type { ServiceKeys } from '../../protocol/vault.ts'
import type { ClockSetting } from './clock.ts'
import type { EmulatedUser } from './emulated-user.ts'
import type { SentMessage } from './emulated-inbox.ts'
import type { Fault } from './faults.ts'
import type { Fixtures } from './fixtures.ts'
import type { LoggedRequest } from './request-log.ts'
import type { SentWebhook } from './sent-webhooks.ts'
import type { Results, Snapshot } from './snapshot.ts'

export type StartOptions = {
  /** Everything that is otherwise random follows from it; 1 unless given. */
  readonly seed?: number | string
  /** A free one unless given. */
  readonly port?: number
  /** `frozen` unless given, at the first instant of 2026: with `real`, ids begin with the time of day. */
  readonly clock?: ClockSetting
  /** By name (`treasury`), a file whose name ends with `.json`, or themselves. */
  readonly fixtures?: string | Fixtures
  /** Takes only requests of the last hour, as the service does; requests of any time unless given. */
  readonly strictTime?: boolean
}

/** A whole service for a test suite, in this process and in memory. */
export type Claviger = AsyncDisposable & {
  readonly baseUrl: string
  /** Of the root user's organization. */
  readonly organizationId: string
  /** Holds the root quorum alone, unless fixtures have changed it. */
  readonly root: EmulatedUser
  /** The public keys of the service, which clients verify bundles and tokens with. */
  readonly serviceKeys: ServiceKeys
  /** A user of the organization with an API key of P-256; the same name and seed give the same key. */
  readonly newUser: (userName?: string) => Promise<EmulatedUser>
  /** Those of fixtures and of `newUser`, by name; `root` too. */
  readonly user: (userName: string) => EmulatedUser
  /** What the activities of fixtures have answered, by the names that the fixtures give them. */
  readonly results: Results
  readonly clock: {
    readonly now: () => Date
    /** @param duration  such as `'2h'`, `'1h30m'`, or milliseconds */
    readonly advance: (duration: string | number) => void
  }
  readonly inbox: {
    /** The code in the newest message to an address or a number. */
    readonly code: (contact: string) => string
    /** Everything that was sent, oldest first. */
    readonly messages: () => readonly SentMessage[]
  }
  readonly webhooks: {
    /** The oldest webhook that was not asked for yet, or the next one; each attempt is one. */
    readonly next: (withinMs?: number) => Promise<SentWebhook>
  }
  readonly faults: {
    /** What goes wrong with the next request of an operation; of several, one after the other. */
    readonly next: (operation: string, fault: Fault) => void
  }
  /** All of it as it is now: data, clock, counters, inbox. Plain data, so that it may be kept in a file. */
  readonly snapshot: () => Snapshot
  readonly restore: (snapshot: Snapshot) => void
  /** As it was when it had started. */
  readonly reset: () => void
  /** The requests of the interface since the start, or since it was last reset or restored. */
  readonly requests: () => readonly LoggedRequest[]
  readonly close: () => Promise<void>
}
