import type { AppliedMigration } from './migrations.ts'

/** What a store says of its schema and of the hosts that use it, read without changing any of it. */
export type SchemaLook = {
  readonly applied: readonly AppliedMigration[]
  /** Those of hosts, and others whose names begin alike. */
  readonly notes: readonly { readonly name: string; readonly value: string }[]
}
