import type {
  ActivityRow,
  ActivityStatus,
  CharterRow,
  DirectoryEntry,
  ObjectRow,
  Unit,
} from '../catalogue/unit.ts'

/**
 * Why a unit was not written: a charter moved on (`guard`), the same request is there already (`fingerprint`), the activity was
 * voted on meanwhile (`revision`), or a name is taken (`claim`). The caller gathers again and decides again.
 */
export type Conflict = 'guard' | 'fingerprint' | 'revision' | 'claim'

export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }

/** A page by cursor, both exclusive; with both, what lies between them, counted from `after`. `limit` is at least 1. */
export type Page = { readonly limit: number; readonly before?: string; readonly after?: string }

/** A list that is absent or empty does not filter. */
export type ActivityFilter = {
  readonly statuses?: readonly ActivityStatus[]
  readonly types?: readonly string[]
}

/** Both engines keep this to the letter; nothing above can tell them apart. Reads see every unit whose commit has resolved. */
export type Store = {
  /**
   * Resolves when the unit is durable. Units that arrive while a commit is under way share the next one.
   * Of several conflicts the first of `guard`, `fingerprint` or `revision`, `claim` is told. A name or an entry that the
   * same target holds already may be put again, and what is not there may be removed; in a unit removals come first.
   *
   * @throws StoreError `unavailable` when the connection broke: whether the unit was written is unknown
   * @throws Bug when the unit is none that a store takes (see `checkUnit`); its neighbours are not disturbed
   */
  readonly commit: (unit: Unit) => Promise<CommitResult>

  readonly charter: (organizationId: string) => Promise<CharterRow | undefined>

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

  readonly claimed: (scope: string, kind: string, value: string) => Promise<string | undefined>
  /**
   * Targets in order of their bytes, at most `limit`: the first after the target `after`, or the last before the target `before`.
   * With both, the first that lie between them.
   */
  readonly find: (
    key: Omit<DirectoryEntry, 'target'>,
    page: { readonly limit: number; readonly after?: string; readonly before?: string },
  ) => Promise<readonly string[]>

  /** A single text of the whole service, such as what proves that data and root key belong together. */
  readonly note: (name: string) => Promise<string | undefined>
  /** Writes a note once; answers what stands there afterwards, so that the first of two hosts wins. */
  readonly noteOnce: (name: string, value: string) => Promise<string>

  readonly engine: 'sqlite' | 'postgres'
  /** Takes no more units, settles those it took, and lets go of the data. */
  readonly close: () => Promise<void>
}
