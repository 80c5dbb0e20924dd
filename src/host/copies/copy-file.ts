import { hash } from 'node:crypto'
import { list, oneOf, optional, type PlainOf, record, text, whole } from '../../trusted/base/plain.ts'
import { type Table, tables } from '../store/tables.ts'

/** The first line of a backup or of an archive, in plain text: how the rest is encrypted and compressed. */
export const copyHeader = record({
  format: oneOf(['claviger backup 1', 'claviger archive 1']),
  compression: oneOf(['zstd', 'gzip']),
  /** Derived from the root key of this version with the salt, or random and encrypted to age recipients, as base64. */
  key: record({
    rootVersion: optional(whole(1)),
    salt: optional(text(64)),
    age: optional(text(64 * 1024)),
  }),
})

const archive = record({
  month: text(7),
  part: whole(1),
  /** The smallest and the largest id of its activities, so that a reader knows which archives to open. */
  leastId: text(100),
  greatestId: text(100),
  /** The version of the root key that opens it, or that at least verifies its seals. */
  rootVersion: whole(1),
})

/** The first line of the encrypted part. */
export const copyBeginning = record({
  claviger: text(100),
  /** The number of the newest step of the schema. */
  schema: whole(1),
  copiedAt: whole(),
  /** The highest number that any job has had. */
  lastJob: whole(),
  /** The organization of an export; absent in a backup of the whole store. */
  organizationId: optional(text(100)),
  /** The activities of an archive, which holds only those of one month. */
  archive: optional(archive),
  /** The fields of each table, in the order of the values in its rows. */
  fields: record({
    charters: list(text(100), 100),
    activities: list(text(100), 100),
    objects: list(text(100), 100),
    claims: list(text(100), 100),
    directory: list(text(100), 100),
    notes: list(text(100), 100),
    jobs: list(text(100), 100),
    orderingKeys: list(text(100), 100),
  }),
})

const counted = record({ rows: whole(), sha256: text(64) })

/** The content of a backup. It stands at the end as a text, with the vault's proof over that text. */
export const copyManifest = record({
  claviger: text(100),
  schema: whole(1),
  copiedAt: whole(),
  lastJob: whole(),
  organizationId: optional(text(100)),
  archive: optional(archive),
  tables: record({
    charters: counted,
    activities: counted,
    objects: counted,
    claims: counted,
    directory: counted,
    notes: counted,
    jobs: counted,
    orderingKeys: counted,
  }),
})

/** The last line of the encrypted part. */
export const copyEnd = record({ manifest: text(64 * 1024), proof: text(1_000) })

export type CopyHeader = PlainOf<typeof copyHeader>
export type CopyBeginning = PlainOf<typeof copyBeginning>
export type CopyEnd = PlainOf<typeof copyEnd>
export type CopyManifest = PlainOf<typeof copyManifest>

export const COPY_FORMAT = 'claviger backup 1'

/** What the vault proves for the text of a manifest; no other proven text begins like it. */
export function manifestChallenge(manifest: string): string {
  return `backup ${hash('sha256', manifest, 'hex')}`
}

/** The fields of each table, in the order of the values in copies. */
export function fieldsOfTables(): { readonly [T in Table]: readonly string[] } {
  // These are exactly the names of the tables.
  return Object.fromEntries(
    Object.entries(tables).map(([table, { columns }]) => [table, Object.keys(columns)]),
  ) as {
    [T in Table]: string[]
  }
}
