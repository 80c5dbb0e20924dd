import type { Ms } from '../base/world.ts'

/**
 * An organization's charter as stored: the JSON text and the vault's seal over it, its organization and its version.
 */
export type CharterRow = {
  readonly organizationId: string
  readonly version: number
  readonly body: string
  readonly seal: string
}

export const ACTIVITY_STATUSES = [
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_FAILED',
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
  'ACTIVITY_STATUS_REJECTED',
] as const

export type ActivityStatus = (typeof ACTIVITY_STATUSES)[number]

/**
 * The record of one activity. `intent`, `result`, `failure`, `votes`, `evaluations` and `voters` are JSON texts,
 * so that carrying a record costs no parsing. The seal covers every other column.
 */
export type ActivityRow = {
  readonly organizationId: string
  readonly activityId: string
  /**
   * `sha256:` and 64 hex digits over the request body. Two requests of an organization with the same fingerprint are
   * one.
   */
  readonly fingerprint: string
  /** The timestamp in the request body. It leads the unique index, which therefore fills from one end. */
  readonly timestampMs: Ms
  readonly type: string
  readonly status: ActivityStatus
  /**
   * 1 when it has ever waited, for consensus or for authenticators: only such activities are found by fingerprint
   * alone.
   */
  readonly awaited: 0 | 1
  /** Counts up with each vote; an update names the revision it replaces. */
  readonly revision: number
  readonly createdAt: Ms
  readonly updatedAt: Ms
  readonly intent: string
  readonly result: string | null
  readonly failure: string | null
  readonly votes: string
  readonly evaluations: string
  /** Ids of the users whose vote could still count, when it was last judged. */
  readonly voters: string
  readonly seal: string
}

/**
 * Anything an organization may have millions of: private keys, import targets. `body` is JSON, `seal` binds it (and a
 * sealed secret, where there is one).
 */
export type ObjectRow = {
  readonly organizationId: string
  readonly kind: string
  readonly objectId: string
  readonly body: string
  readonly seal: string
  /**
   * From this instant on nobody will miss the row, and it may be swept away; null for a row that stays. Not sealed: an
   * attacker who can sweep can delete anyway.
   */
  readonly expiresAt: Ms | null
}

export type ObjectKey = Pick<ObjectRow, 'organizationId' | 'kind' | 'objectId'>

/**
 * A message to be delivered after the commit. Its contents are in the seal, for the vault to open. A webhook is a job
 * too, which the store makes itself, from the audience of an activity.
 */
export type JobRow = {
  readonly organizationId: string
  readonly jobId: string
  readonly kind: 'email' | 'sms'
  readonly seal: string
  readonly createdAt: Ms
}

/**
 * A line of the directory: under `scope`, looking for `value` of this `kind` leads to `target`. An index, never an
 * authority.
 */
export type DirectoryEntry = {
  readonly scope: string
  readonly kind: string
  readonly value: string
  readonly target: string
}

/** Everything that one activity changes. It commits whole or not at all. */
export type Unit = {
  /**
   * Charter versions this was decided on; when one no longer holds, nothing is written. Version 0: there must be none
   * yet.
   */
  readonly guards: readonly { readonly organizationId: string; readonly version: number }[]
  /** Amended charters, each one version above its guard. */
  readonly charters: readonly CharterRow[]
  /** Rows that must be there with this very seal, or (null) must not be there, before anything is written. */
  readonly objectGuards: readonly (ObjectKey & { readonly seal: string | null })[]
  /**
   * `replaces` is the revision that must be there now, or null when the activity must be new. `audience` are the
   * organizations whose webhooks hear of it: a webhook job is written for each target that the directory has under one
   * of them as scope, with the kind `WEBHOOK` and an empty value.
   */
  readonly activity?: {
    readonly row: ActivityRow
    readonly replaces: number | null
    readonly audience: readonly string[]
  }
  readonly objects: { readonly put: readonly ObjectRow[]; readonly remove: readonly ObjectKey[] }
  readonly jobs: readonly JobRow[]
  /**
   * Webhooks of one target that were given up and are sent once more; numbers that are of no such job are passed over.
   */
  readonly revived?: {
    readonly scope: string
    readonly target: string
    readonly sequences: readonly number[]
  }
  /** Names that one target alone may hold: (scope, kind, value) is unique. */
  readonly claims: { readonly put: readonly DirectoryEntry[]; readonly remove: readonly DirectoryEntry[] }
  /** Values that many targets may share. */
  readonly directory: { readonly put: readonly DirectoryEntry[]; readonly remove: readonly DirectoryEntry[] }
}

/** A unit that changes nothing. */
export const emptyUnit: Unit = {
  guards: [],
  charters: [],
  objectGuards: [],
  objects: { put: [], remove: [] },
  jobs: [],
  claims: { put: [], remove: [] },
  directory: { put: [], remove: [] },
}
