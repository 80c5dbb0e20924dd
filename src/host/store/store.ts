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
 * The reason why a unit was not written: a newer charter, or a lookup that finds more by now (`guard`), a changed
 * guarded row (`object`), an existing record of the same request (`fingerprint`), a vote on the activity in the
 * meantime (`revision`), or a taken name (`claim`). The caller gathers and decides again.
 */
export type Conflict = 'guard' | 'object' | 'fingerprint' | 'revision' | 'claim'

export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
  /** Nothing is written: the unit would exceed a quota. */
  | { readonly kind: 'exhausted'; readonly exhausted: Exhausted }

/**
 * A page by cursor, both ends exclusive; with both, the rows between them, counted from `after`. `limit` is at least 1.
 */
export type Page = { readonly limit: number; readonly before?: string; readonly after?: string }

/** An absent or empty list does not filter. */
export type ActivityFilter = {
  readonly statuses?: readonly ActivityStatus[]
  readonly types?: readonly string[]
}

/**
 * A job for the outside world, delivered at least once, and in the order of `sequence` within its ordering key: the
 * next job of an ordering key is only handed out after the previous one has been finished or dead-lettered.
 */
export type Job = {
  /** Unique, and rising in the order of commits. */
  readonly sequence: number
  /**
   * A message has an ordering key of its own (`message <jobId>`); webhooks of one target share one (`webhook <scope>
   * <target>`).
   */
  readonly orderingKey: string
  /** The number of earlier hand-outs. */
  readonly attempts: number
  readonly createdAt: number
  /** The reason of the last failure. */
  readonly failure: string | null
} & (
  | { readonly kind: 'email' | 'sms'; readonly row: JobRow }
  | { readonly kind: 'webhook'; readonly webhook: WebhookJob }
)

/** A job whose row lacks a part of it. It is never handed out, and is a dead letter once its turn came. */
export type MalformedJob = Pick<Job, 'sequence' | 'orderingKey' | 'attempts' | 'createdAt' | 'failure'> & {
  readonly kind: 'malformed'
  readonly organizationId: string
}

/** A due webhook: the state of an activity at one revision, for one target. */
export type WebhookJob = {
  /** The organization of the webhook: the activity's own, or its parent. */
  readonly scope: string
  /** The target in the directory. */
  readonly target: string
  readonly organizationId: string
  readonly activityId: string
  readonly revision: number
}

/** The present revision of an activity. */
export type ActivityRevision = Pick<ActivityRow, 'activityId' | 'revision'>

/** An entry of the directory, within one scope and kind. */
export type FoundEntry = Pick<DirectoryEntry, 'value' | 'target'>

export type QuotaStore = {
  readonly settings: () => Promise<QuotaSettings>
  /** Replaces the settings of the previous version; returns whether the stored ones had it. */
  readonly replace: (next: QuotaSettings) => Promise<boolean>
  /** An organization's use of each of its quotas. */
  readonly uses: (organizationId: string, now: Ms) => Promise<readonly QuotaUse[]>
  /** Counts the standing amounts of an organization again; returns the differences. */
  readonly recount: (organizationId: string, now: Ms) => Promise<readonly Drift[]>
}

export type TextKey = { readonly organizationId: string; readonly digest: string }

/** The number of texts removed from a page, and the last text; absent after the end. */
export type ErasedSnapshots = { readonly erased: number; readonly last: TextKey | undefined }

/**
 * Resolves when all rows that were read since this was taken are as durable as an acknowledged commit. A server can
 * show a commit that its standby has not confirmed: while it is being stopped, after a restart, or after the wait was
 * cancelled.
 *
 * @throws StoreError `unavailable`, also after another server has been promoted in the meantime
 */
export type Confirm = () => Promise<void>

/** The activity of a store since it was opened, and its connections, for metrics. */
export type StoreLoad = {
  readonly commits: CommitCounts
  /** The connections to a database, by purpose; none without another process. */
  readonly pools: readonly PoolLoad[]
}

export type PoolLoad = {
  readonly pool: string
  readonly used: number
  readonly idle: number
  /** The number of calls that wait for a connection in use. */
  readonly waiting: number
}

/** One hand-out of a job, by the number of attempts before it. */
export type HandedOut = Pick<Job, 'sequence' | 'attempts'>

/**
 * What is handed out at `now` is nobody else's until `leaseMs` have passed. Hand-outs of one instant differ in their
 * `leaseMs`, by which a store finds those again whose answer was lost: the next look takes them.
 */
export type Lease = { readonly now: number; readonly leaseMs: number }

/** A name without its holder, or an entry without what it leads to. */
export type EntryKey = Omit<DirectoryEntry, 'target'>

/**
 * Both engines keep these promises exactly, and code above cannot distinguish them. Reads see every unit whose commit
 * has resolved.
 */
export type Store = {
  /**
   * Resolves when the unit is durable. Units that arrive during a commit share the next one. Units of one tenant that
   * guard the same object are written in their order of arrival, so that each may guard the row that the previous one
   * writes. Of several conflicts the first in the order `guard`, `object`, `fingerprint` or `revision`, `claim` is
   * reported. A name or an entry that the same target holds already may be put again, and a missing row may be removed;
   * within a unit removals come first. A unit that was decided on rows of another server (`readFrom`) conflicts in its
   * guards.
   *
   * @throws StoreError `unavailable` if the connection broke: whether the unit was written is unknown
   * @throws Bug if `checkUnit` refuses the unit; its neighbours are not affected
   */
  readonly commit: (unit: ChargedUnit) => Promise<CommitResult>

  readonly charter: (organizationId: string) => Promise<CharterRow | undefined>
  /**
   * In the requested order; missing ones are left out. Long charters are read a few at a time: from the first that
   * brings them to `CHARTERS_CHARACTERS_MAX`, all further ones are left out too.
   */
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

  /** The present revisions of the newest activities, at most `limit`, in no order. */
  readonly newestRevisions: (organizationId: string, limit: number) => Promise<readonly ActivityRevision[]>
  /** The same for these activities, as far as they exist. */
  readonly revisionsOf: (
    organizationId: string,
    activityIds: readonly string[],
  ) => Promise<readonly ActivityRevision[]>

  /** In the requested order; missing ones are left out. */
  readonly objects: (
    organizationId: string,
    kind: string,
    objectIds: readonly string[],
  ) => Promise<readonly ObjectRow[]>
  /** All objects of a kind in the order of ids, at most `limit`, after the id `after`. */
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

  /** Those of these names that are claimed, with their holders, in the requested order. */
  readonly claimed: (names: readonly EntryKey[]) => Promise<readonly DirectoryEntry[]>
  /**
   * Targets in the order of their bytes, at most `limit`: the first after the target `after`, or the last before the
   * target `before`. With both, the first that lie between them.
   */
  readonly find: (
    key: EntryKey,
    page: { readonly limit: number; readonly after?: string; readonly before?: string },
  ) => Promise<readonly string[]>

  /**
   * Entries whose value begins with the prefix, at most `limit`, in the byte order of value and target, after the entry
   * `after`.
   */
  readonly findPrefix: (
    key: { readonly scope: string; readonly kind: string; readonly prefix: string },
    page: { readonly limit: number; readonly after?: FoundEntry },
  ) => Promise<readonly FoundEntry[]>

  /** The clock of the database, which all hosts share; absent where this process alone has the store. */
  readonly clock?: () => Promise<number>
  /**
   * Hands out due jobs, at most `limit` and one for each ordering key, the longest due first. No other caller gets the
   * same job until `leaseMs` have passed; then it is due again.
   */
  readonly takeJobs: (request: Lease & { readonly limit: number }) => Promise<readonly Job[]>
  /**
   * The job succeeded: it is removed, and the next of its ordering key is due at once.
   *
   * @param next  hands out the next one by the way, as `takeJobs` does, whatever else is due
   * @returns     the next one, if it was handed out; none if the finished job was not the first of its ordering key
   */
  readonly finishJob: (sequence: number, next?: Lease) => Promise<Job | undefined>
  /**
   * Removes waiting jobs behind the first of this ordering key, which were carried out together with it; nothing else
   * changes.
   */
  readonly finishBehind: (orderingKey: string, sequences: readonly number[]) => Promise<void>
  /**
   * The job failed, and another attempt is due at `dueAt`; its ordering key waits with it. Nothing changes if the job
   * has been handed out again since then, because that is the hand-out of another lease.
   */
  readonly postponeJob: (
    handedOut: HandedOut,
    retry: { readonly dueAt: number; readonly failure: string },
  ) => Promise<void>
  /** The same for a job that was not tried: the hand-out counts as no attempt. */
  readonly putBackJob: (handedOut: HandedOut, dueAt: number) => Promise<void>
  /** The job failed permanently: it becomes a dead letter, and its ordering key continues. */
  readonly deadLetterJob: (sequence: number, burial: { readonly failure: string }) => Promise<void>
  /** Dead jobs in the order of `sequence`, at most `limit`, after the sequence `after`. */
  readonly deadLetters: (page: {
    readonly limit: number
    readonly after?: number
  }) => Promise<readonly (Job | MalformedJob)[]>
  /** The same for one ordering key, for waiting or for dead jobs. */
  readonly jobsOf: (
    orderingKey: string,
    of: 'waiting' | 'dead',
    page: { readonly limit: number; readonly after?: number },
  ) => Promise<readonly (Job | MalformedJob)[]>
  /** The time at which the first job of the ordering key is due; undefined if none waits. */
  readonly dueAt: (orderingKey: string) => Promise<number | undefined>
  /** Makes dead jobs of this sequence due again, at the end of their ordering keys; returns their number. */
  readonly reviveJobs: (sequences: readonly number[], now: number) => Promise<number>
  /** Puts webhooks at the end of their ordering keys again, whether they were delivered before or not. */
  readonly addWebhooks: (webhooks: readonly WebhookJob[], now: number) => Promise<void>
  /**
   * The numbers of waiting and of dead jobs, by kind, each counted up to `JOBS_COUNTED_MAX`, and the age of the oldest.
   */
  readonly jobCounts: () => Promise<
    readonly {
      readonly kind: Job['kind']
      readonly waiting: number
      readonly dead: number
      readonly oldestAt: number | null
    }[]
  >

  /** Removes objects that have expired at `now`, at most `limit`, with their lookup entries; returns their number. */
  readonly sweep: (request: { readonly now: number; readonly limit: number }) => Promise<number>

  /** A single text of the whole service, such as the proof that data and root key belong together. */
  readonly note: (name: string) => Promise<string | undefined>
  /** Writes a note once; returns the text that is stored afterwards, so that the first of two hosts wins. */
  readonly noteOnce: (name: string, value: string) => Promise<string>

  /**
   * Replaces a note with the text `before` (null: a missing note), or removes it (`after` is null); returns whether it
   * did.
   */
  readonly replaceNote: (name: string, before: string | null, after: string | null) => Promise<boolean>
  /**
   * Gives rows new seals, each only if its row still has the seal to replace; returns their number. Nothing else
   * changes.
   */
  readonly reseal: (seals: readonly NewSeal[]) => Promise<number>

  /**
   * Removes activities, each only if its row still has this seal; returns their number. They are gone for every reader.
   */
  readonly removeActivities: (
    activities: readonly Pick<ActivityRow, 'organizationId' | 'activityId' | 'seal'>[],
  ) => Promise<number>

  /**
   * Removes an organization's rows other than its charter, its activities and its jobs: objects, names, lookups, and
   * texts that its records have named; at most `limit` rows of each kind. Returns their number.
   */
  readonly eraseRest: (organizationId: string, limit: number) => Promise<number>

  /**
   * Searches a page of the shared texts of all organizations' records, and removes a user's snapshots from it, except
   * those whose digests are named.
   *
   * @param page  the texts after `after` in the order of their keys, at most `limit`; the first ones without it
   */
  readonly eraseSnapshots: (
    userId: string,
    named: readonly string[],
    page: { readonly after?: TextKey; readonly limit: number },
  ) => Promise<ErasedSnapshots>

  /** The quotas of organizations. Every commit, by any host, is counted by the settings at the time of its write. */
  readonly quotas: QuotaStore

  /** Every row of a table, page by page, while other work continues. */
  readonly scan: Scan

  /** Whether no organization was ever founded here. */
  readonly isEmpty: () => Promise<boolean>
  /** Taken before the reads that it confirms. */
  readonly confirmer: () => Confirm
  /**
   * The server that answers the reads from now on: another value after another one has become the primary, which may
   * lack what was read before. Taken before the reads.
   */
  readonly server: () => unknown
  /** Writes an insignificant value and resolves when it is durable; rejects if writes fail at present. */
  readonly probe: () => Promise<void>

  readonly load: () => StoreLoad
  readonly engine: 'sqlite' | 'postgres'
  /** Accepts no more units, settles the accepted ones, and releases the data. */
  readonly close: () => Promise<void>
}
