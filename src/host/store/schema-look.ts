import type { AppliedMigration } from './migrations.ts'

/** The state of a store's schema and the notes of its hosts, read without changes. */
export type SchemaLook = {
  readonly applied: readonly AppliedMigration[]
  /** The notes of hosts, and others with the same beginning. */
  readonly notes: readonly { readonly name: string; readonly value: string }[]
}
