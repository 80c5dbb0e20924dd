import type {
  ActivityRow,
  ActivityStatus,
  CharterRow,
  DirectoryEntry,
  JobRow,
  ObjectRow,
} from '../../trusted/catalogue/unit.ts'
import type { Ms } from '../../trusted/base/world.ts'
import type { CommitCounts } from './group-commit.ts'
import type { ChargedUnit, Drift, Exhausted, QuotaUse } from './quotas/quota.ts'
import type { QuotaSettings } from './quotas/settings.ts'
import type { NewSeal } from './resealing.ts'
import type { Scan } from './scan.ts'

/**
 * Why a unit was not written: a charter moved on (`guard`), a guarded row is another one by now (`object`), the same
 * request is there already (`fingerprint`), the activity was voted on meanwhile (`revision`), or a name is taken
 * (`claim`). The caller gathers again and decides again.
 */
export type Conflict = 'guard' | 'object' | 'fingerprint' | 'revision' | 'claim'

export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
  /** Nothing is written: it would take more than is left of a quota. */
  | { readonly kind: 'exhausted'; readonly exhausted: Exhausted }

/** A page by cursor, both exclusive; with both, what lies between them, counted from `after`. `limit` is at least 1. */
export type Page = { readonly limit: number; readonly before?: string; readonly after?: string }

/** A list that is absent or empty does not filter. */
export type ActivityFilter = {
  readonly statuses?: readonly ActivityStatus[]
  readonly types?: readonly string[]
}

/**
 * Something to be carried outside, at least once, and in order of `sequence` within its ordering key: the next of an
 * ordering key is only handed out when the one before it has been finished or dead-lettered.
 */
export type Job = {
  /** Unique, and rising in the order of commits. */
  readonly sequence: number
  /**
   * A message has an ordering key of its own (`message <jobId>`); webhooks of one target share one (`webhook <scope>
   * <target>`).
   */
  readonly orderingKey: string
  /** How often it was handed out before. */
  readonly attempts: number
  readonly createdAt: number
  /** Why the last attempt failed. */
  readonly failure: string | null
} & (
  | { readonly kind: 'email' | 'sms'; readonly row: JobRow }
  | { readonly kind: 'webhook'; readonly webhook: WebhookJob }
)

/** A webhook that is due: the state of an activity at one revision, for one target. */
export type WebhookJob = {
  /** The organization whose webhook it is: the activity's own, or its parent. */
  readonly scope: string
  /** As the directory has it. */
  readonly target: string
  readonly organizationId: string
  readonly activityId: string
  readonly revision: number
}

/** Which state of an activity is the one that stands. */
export type ActivityRevision = Pick<ActivityRow, 'activityId' | 'revision'>

/** An entry of the directory, within one scope and kind. */
export type FoundEntry = Pick<DirectoryEntry, 'value' | 'target'>

export type QuotaStore = {
  readonly settings: () => Promise<QuotaSettings>
  /** Puts settings in the place of those of the version before; answers whether they were that. */
  readonly replace: (next: QuotaSettings) => Promise<boolean>
  /** What an organization has used of each quota that it has. */
  readonly uses: (organizationId: string, now: Ms) => Promise<readonly QuotaUse[]>
  /** Counts anew what stands of an organization; answers what was not as it was counted. */
  readonly recount: (organizationId: string, now: Ms) => Promise<readonly Drift[]>
}

/**
 * Both engines keep this to the letter; nothing above can tell them apart. Reads see every unit whose commit has
 * resolved.
 */
export type TextKey = { readonly organizationId: string; readonly digest: string }

/** How many were removed from a page, and its last text; there is none where no text was left. */
export type ErasedSnapshots = { readonly erased: number; readonly last: TextKey | undefined }

/**
 * Resolves when all that was read since it was taken is as durable as an acknowledged commit. A server can show a
 * commit that its standby has not confirmed: in the instant in which it is stopped, when it was started anew, or when
 * the wait was cancelled.
 *
 * @throws StoreError `unavailable`, also when another server has been promoted meanwhile
 */
export type Confirm = () => Promise<void>

/** What a store has done since it was opened, and its connections: for metrics. */
export type StoreLoad = {
  readonly commits: CommitCounts
  /** The connections to a database, by what they are for; none where there is no other process. */
  readonly pools: readonly PoolLoad[]
}

export type PoolLoad = {
  readonly pool: string
  readonly used: number
  readonly idle: number
  /** Who waits for a connection that others have. */
  readonly waiting: number
}

export type Store = {
  /**
   * Resolves when the unit is durable. Units that arrive while a commit is under way share the next one. Units of one
   * tenant that guard the same object are written in the order in which they came, so that each may guard what the one
   * before writes. Of several conflicts the first of `guard`, `object`, `fingerprint` or `revision`, `claim` is told. A
   * name or an entry that the same target holds already may be put again, and what is not there may be removed; in a
   * unit removals come first.
   *
   * @throws StoreError `unavailable` when the connection broke: whether the unit was written is unknown
   * @throws Bug when the unit is none that a store takes (see `checkUnit`); its neighbours are not disturbed
   */
  readonly commit: (unit: ChargedUnit) => Promise<CommitResult>

  readonly charter: (organizationId: string) => Promise<CharterRow | undefined>
  /** In the order asked for; those that are not there are left out. */
  readonly charters: (organizationIds: readonly string[]) => Promise<readonly CharterRow[]>

  readonly activity: (organizationId: string, activityId: string) => Promise<ActivityRow | undefined>
  readonly activityOfRequest: (request: {
    readonly organizationId: string
    readonly timestampMs: number
    readonly fingerprint: string
  }) => Promise<ActivityRow | undefined>
  /** Only activities that have ever waited for consensus. */
  readonly awaitedActivity: (organizationId: string, fingerprint: string) => Promise<ActivityRow | undefined>
  /** Newest first; `after` continues with older ones, `before` with newer ones (still newest first). */
  readonly activities: (
    organizationId: string,
    filter: ActivityFilter,
    page: Page,
  ) => Promise<readonly ActivityRow[]>

  /** Of the newest activities, at most `limit`, which revision each is at; in no order. */
  readonly newestRevisions: (organizationId: string, limit: number) => Promise<readonly ActivityRevision[]>
  /** The same of these, as far as they are there. */
  readonly revisionsOf: (
    organizationId: string,
    activityIds: readonly string[],
  ) => Promise<readonly ActivityRevision[]>

  /** In the order asked for; those that are not there are left out. */
  readonly objects: (
    organizationId: string,
    kind: string,
    objectIds: readonly string[],
  ) => Promise<readonly ObjectRow[]>
  /** All objects of a kind in order of id, at most `limit`, after the id `after`. */
  readonly objectsOfKind: (
    organizationId: string,
    kind: string,
    page: { readonly limit: number; readonly after?: string },
  ) => Promise<readonly ObjectRow[]>
  /** The same from the other end: the last ids first, at most `limit`, before the id `before`. */
  readonly newestOfKind: (
    organizationId: string,
    kind: string,
    page: { readonly limit: number; readonly before?: string },
  ) => Promise<readonly ObjectRow[]>

  readonly claimed: (scope: string, kind: string, value: string) => Promise<string | undefined>
  /**
   * Targets in order of their bytes, at most `limit`: the first after the target `after`, or the last before the target
   * `before`. With both, the first that lie between them.
   */
  readonly find: (
    key: Omit<DirectoryEntry, 'target'>,
    page: { readonly limit: number; readonly after?: string; readonly before?: string },
  ) => Promise<readonly string[]>

  /**
   * Entries whose value begins with the prefix, at most `limit`, in order of the bytes of value and target, after the
   * entry `after`.
   */
  readonly findPrefix: (
    key: { readonly scope: string; readonly kind: string; readonly prefix: string },
    page: { readonly limit: number; readonly after?: FoundEntry },
  ) => Promise<readonly FoundEntry[]>

  /**
   * Hands out jobs that are due, at most `limit` and one for each ordering key, the longest due first; each is nobody
   * else's until `leaseMs` have passed, and is then due again.
   */
  readonly takeJobs: (request: {
    readonly now: number
    readonly leaseMs: number
    readonly limit: number
  }) => Promise<readonly Job[]>
  /** Carried: it is gone, and the next of its ordering key is due at once. */
  readonly finishJob: (sequence: number) => Promise<void>
  /**
   * Waiting jobs of this ordering key behind its first, which were carried together with it: they are gone, and nothing
   * else changes.
   */
  readonly finishBehind: (orderingKey: string, sequences: readonly number[]) => Promise<void>
  /** Not carried, and worth another attempt at `dueAt`; its ordering key waits with it. */
  readonly postponeJob: (
    sequence: number,
    retry: { readonly dueAt: number; readonly failure: string },
  ) => Promise<void>
  /** Not carried and not worth another attempt: it is kept as dead, and its ordering key goes on. */
  readonly deadLetterJob: (sequence: number, burial: { readonly failure: string }) => Promise<void>
  /** Dead jobs in order of `sequence`, at most `limit`, after the sequence `after`. */
  readonly deadLetters: (page: { readonly limit: number; readonly after?: number }) => Promise<readonly Job[]>
  /** The same of one ordering key, those that wait or those that are dead. */
  readonly jobsOf: (
    orderingKey: string,
    of: 'waiting' | 'dead',
    page: { readonly limit: number; readonly after?: number },
  ) => Promise<readonly Job[]>
  /** When the first job of the ordering key is due; undefined where none waits. */
  readonly dueAt: (orderingKey: string) => Promise<number | undefined>
  /** Dead jobs of this sequence become due again, at the end of their ordering keys; answers how many there were. */
  readonly reviveJobs: (sequences: readonly number[], now: number) => Promise<number>
  /** Puts webhooks at the end of their ordering keys once more, delivered before or not. */
  readonly addWebhooks: (webhooks: readonly WebhookJob[], now: number) => Promise<void>
  /**
   * How much waits and how much is dead, by kind, each counted up to `JOBS_COUNTED_MAX`, and since when the oldest
   * waits.
   */
  readonly jobCounts: () => Promise<
    readonly {
      readonly kind: Job['kind']
      readonly waiting: number
      readonly dead: number
      readonly oldestAt: number | null
    }[]
  >

  /** Removes objects that have expired at `now`, at most `limit`; answers how many. */
  readonly sweep: (request: { readonly now: number; readonly limit: number }) => Promise<number>

  /** A single text of the whole service, such as what proves that data and root key belong together. */
  readonly note: (name: string) => Promise<string | undefined>
  /** Writes a note once; answers what stands there afterwards, so that the first of two hosts wins. */
  readonly noteOnce: (name: string, value: string) => Promise<string>

  /**
   * Writes a note where it says `before` (null: where there is none), or removes it (`after` is null); answers whether
   * it did.
   */
  readonly replaceNote: (name: string, before: string | null, after: string | null) => Promise<boolean>
  /**
   * Gives rows new seals, each where its row still has the one that it is to replace; answers how many. Nothing else
   * changes.
   */
  readonly reseal: (seals: readonly NewSeal[]) => Promise<number>

  /** Removes activities, each where its row still has this seal; answers how many. They are gone for every reader. */
  readonly removeActivities: (
    activities: readonly Pick<ActivityRow, 'organizationId' | 'activityId' | 'seal'>[],
  ) => Promise<number>

  /**
   * Removes what an organization has beside its charter, its activities and its jobs: objects, names, look-ups, and
   * texts that its records have named; of each kind at most `limit` rows. Answers how many.
   */
  readonly eraseRest: (organizationId: string, limit: number) => Promise<number>

  /**
   * Looks through a page of the texts that records of all organizations have had in common, and removes from it the
   * snapshots of a user, other than those whose digests are named.
   *
   * @param page  the texts that follow `after` in the order of their keys, at most `limit`; the first ones without it
   */
  readonly eraseSnapshots: (
    userId: string,
    named: readonly string[],
    page: { readonly after?: TextKey; readonly limit: number },
  ) => Promise<ErasedSnapshots>

  /**
   * What organizations may use. Every commit, of whatever host, is counted by the settings that stand when it is
   * written.
   */
  readonly quotas: QuotaStore

  /** Every row of a table, page by page, beside whatever else goes on. */
  readonly scan: Scan

  /** Whether no organization was ever founded here. */
  readonly isEmpty: () => Promise<boolean>
  /** Taken before what is to be confirmed is read. */
  readonly confirmer: () => Confirm
  /** Writes something of no account and resolves when it is durable; rejects when nothing can be written now. */
  readonly probe: () => Promise<void>

  readonly load: () => StoreLoad
  readonly engine: 'sqlite' | 'postgres'
  /** Takes no more units, settles those it took, and lets go of the data. */
  readonly close: () => Promise<void>
}
