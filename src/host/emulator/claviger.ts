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
  /** The source of everything that is otherwise random; 1 by default. */
  readonly seed?: number | string
  /** A free port by default. */
  readonly port?: number
  /** `frozen` by default, at the first instant of 2026: with `real`, ids begin with the time of day. */
  readonly clock?: ClockSetting
  /** The fixtures themselves, their name (`treasury`), or a file whose name ends with `.json`. */
  readonly fixtures?: string | Fixtures
  /** Accepts only requests of the last hour, like the service; by default it accepts requests of any time. */
  readonly strictTime?: boolean
}

/** A whole service for a test suite, in this process and in memory. */
export type Claviger = AsyncDisposable & {
  readonly baseUrl: string
  /** The root user's organization. */
  readonly organizationId: string
  /** The root quorum, unless fixtures have changed it. */
  readonly root: EmulatedUser
  /** The public keys of the service, with which clients verify bundles and tokens. */
  readonly serviceKeys: ServiceKeys
  /** A user of the organization with an API key of P-256; the same name and seed give the same key. */
  readonly newUser: (userName?: string) => Promise<EmulatedUser>
  /** The users of fixtures and of `newUser`, by name; `root` too. */
  readonly user: (userName: string) => EmulatedUser
  /** The results of the fixtures' activities, under the names in the fixtures. */
  readonly results: Results
  readonly clock: {
    readonly now: () => Date
    /** @param duration  such as `'2h'`, `'1h30m'`, or milliseconds */
    readonly advance: (duration: string | number) => void
  }
  readonly inbox: {
    /** The code in the newest message to an address or a number. */
    readonly code: (contact: string) => string
    /** All sent messages, oldest first. */
    readonly messages: () => readonly SentMessage[]
  }
  readonly webhooks: {
    /** The oldest webhook that this method has not returned yet, or the next one; each attempt counts separately. */
    readonly next: (withinMs?: number) => Promise<SentWebhook>
  }
  readonly faults: {
    /** Plans a fault for the next request of an operation; several faults apply one after the other. */
    readonly next: (operation: string, fault: Fault) => void
  }
  /** The whole present state: data, clock, counters, inbox. It is plain data, so it can be stored in a file. */
  readonly snapshot: () => Snapshot
  readonly restore: (snapshot: Snapshot) => void
  /** Returns to the state after the start. */
  readonly reset: () => void
  /** The requests of the interface since the start, or since the last reset or restore. */
  readonly requests: () => readonly LoggedRequest[]
  readonly close: () => Promise<void>
}
