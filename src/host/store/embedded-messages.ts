import { Bug } from '../../trusted/base/assert.ts'
import type { ActivityRow, Unit } from '../../trusted/catalogue/unit.ts'
import { activityColumns, activityValues } from './columns.ts'
import { recordOnly } from './record-only.ts'
import { StoreError, type StoreErrorKind } from './store-error.ts'
import type { CommitResult, Store } from './store.ts'

/** The calls of a store that its thread carries out; the other parts of a store are the calling thread's own. */
export const STORE_METHODS = [
  'commit',
  'charter',
  'charters',
  'activity',
  'activityOfRequest',
  'awaitedActivity',
  'activities',
  'objects',
  'objectsOfKind',
  'claimed',
  'find',
  'takeJobs',
  'finishJob',
  'postponeJob',
  'deadLetterJob',
  'deadLetters',
  'reviveJobs',
  'addWebhooks',
  'jobCounts',
  'sweep',
  'note',
  'noteOnce',
  'isEmpty',
  'probe',
  'close',
] as const satisfies readonly (keyof Store)[]

export type StoreMethod = (typeof STORE_METHODS)[number]

export type StoreCall = readonly [id: number, method: StoreMethod, args: readonly unknown[]]

/** All calls of one turn of the event loop. Records stand apart as plain values: to copy them costs a third of what objects do. */
export type StoreCalls = { readonly records: readonly Plain[]; readonly calls: readonly StoreCall[] }

/** `committed`: the ids of commits that wrote their unit, by far the most answers. */
export type StoreAnswers = {
  readonly committed: readonly number[]
  readonly answers: readonly (readonly [id: number, result: unknown])[]
  readonly failures: readonly (readonly [id: number, error: PlainError])[]
}

/** What the thread says when it has opened the store, or cannot. */
export type StoreOpened = { readonly opened: true } | { readonly refused: PlainError }

type Plain = string | number | null

const FIELDS = Object.keys(activityColumns)

/** Appends a record to `records`, when the unit is one and no more; false where it is another unit. */
export function putRecord(records: Plain[], id: number, unit: Unit): boolean {
  const record = recordOnly(unit)
  if (record === undefined) return false
  records.push(id, record.guards.length, record.audience.length)
  for (const { organizationId, version } of record.guards) records.push(organizationId, version)
  records.push(...record.audience, ...activityValues(record.row))
  return true
}

/** The units that `putRecord` has put down, in their order. */
export function* recordsIn(records: readonly Plain[]): Generator<readonly [id: number, unit: Unit]> {
  let at = 0
  const next = () => records[at++]
  while (at < records.length) {
    const [id, guards, audience] = [Number(next()), Number(next()), Number(next())]
    const unit = {
      ...NOTHING_ELSE,
      guards: Array.from({ length: guards }, () => ({
        organizationId: String(next()),
        version: Number(next()),
      })),
      activity: {
        audience: Array.from({ length: audience }, () => String(next())),
        replaces: null,
        // The values stand in the order of the fields, as `activityValues` gave them.
        row: Object.fromEntries(FIELDS.map((field) => [field, next()])) as unknown as ActivityRow,
      },
    }
    yield [id, unit]
  }
}

const NOTHING_ELSE: Omit<Unit, 'guards' | 'activity'> = {
  charters: [],
  objectGuards: [],
  objects: { put: [], remove: [] },
  jobs: [],
  claims: { put: [], remove: [] },
  directory: { put: [], remove: [] },
}

export const COMMITTED: CommitResult = { kind: 'committed' }

/** An error as it goes from thread to thread: what a structured clone leaves of one is not enough to tell an outage. */
type PlainError = {
  readonly message: string
  readonly stack?: string
  readonly isBug?: true
  /** Of a `StoreError`. */
  readonly kind?: StoreErrorKind
  /** Of an error of SQLite. */
  readonly errcode?: number
}

export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error instanceof Bug ? { isBug: true } : {}),
    ...(error instanceof StoreError ? { kind: error.kind } : {}),
    ...('errcode' in error ? { errcode: Number(error.errcode) } : {}),
  }
}

/** Its cause has the stack of the other thread. */
export function errorOf({ message, stack, isBug, kind, errcode }: PlainError): Error {
  const cause = { cause: stack }
  if (isBug === true) return new Bug(message, cause)
  if (kind !== undefined) return new StoreError(kind, message, cause)
  const error = new Error(message, cause)
  return errcode === undefined ? error : Object.assign(error, { errcode })
}
