import type { ActivityRow, CharterRow, DirectoryEntry, ObjectRow } from '../../trusted/catalogue/unit.ts'
import { activityColumns, charterColumns, objectColumns } from './columns.ts'
import { type JobRecord, jobColumns } from './job-columns.ts'

/** The content of each table of a store. It is the same in both engines. */
export type TableRows = {
  readonly charters: CharterRow
  readonly activities: ActivityRow
  readonly objects: ObjectRow
  readonly claims: DirectoryEntry
  readonly directory: DirectoryEntry
  readonly notes: NoteRow
  readonly jobs: JobRecord & { readonly dead: 0 | 1 }
  readonly orderingKeys: OrderingKeyRow
}

export type Table = keyof TableRows
type NoteRow = { readonly name: string; readonly value: string }
type OrderingKeyRow = {
  readonly orderingKey: string
  readonly dueAt: number
  readonly takenAt: number | null
}

type TableShape<Row> = {
  /** The name in the database. */
  readonly name: string
  readonly columns: { readonly [Field in keyof Row]: string }
  /** The fields of the primary key, in its order. */
  readonly key: readonly (keyof Row & string)[]
}

const entryColumns = { scope: 'scope', kind: 'kind', value: 'value', target: 'target' }

/**
 * Every table of a store except those of its migrations and of the texts that records name: these texts are read with
 * the records. A table that is missing here would be missing in every copy.
 */
export const tables: { readonly [T in Table]: TableShape<TableRows[T]> } = {
  charters: { name: 'charters', columns: charterColumns, key: ['organizationId'] },
  activities: { name: 'activities', columns: activityColumns, key: ['organizationId', 'activityId'] },
  objects: { name: 'objects', columns: objectColumns, key: ['organizationId', 'kind', 'objectId'] },
  claims: { name: 'claims', columns: entryColumns, key: ['scope', 'kind', 'value'] },
  directory: { name: 'directory', columns: entryColumns, key: ['scope', 'kind', 'value', 'target'] },
  notes: { name: 'notes', columns: { name: 'name', value: 'value' }, key: ['name'] },
  jobs: { name: 'errands', columns: { ...jobColumns, dead: 'dead' }, key: ['sequence'] },
  orderingKeys: {
    name: 'lanes',
    columns: { orderingKey: 'lane', dueAt: 'due_at', takenAt: 'taken_at' },
    key: ['orderingKey'],
  },
}
