import type pg from 'pg'

/**
 * Shows which of several servers is the primary: each promotion begins a new timeline. A primary that was cut off
 * during a promotion has a lower number until it learns of it.
 */
export type ServerTimeline = { readonly system: string; readonly timeline: number }

/** Whether a connection only reads: its role may be read only on a server that takes the writes of others. */
export type Reading = { readonly isReading?: boolean }

/** @returns undefined for a server that takes no writes */
export async function serverTimelineOf(
  client: Pick<pg.ClientBase, 'query'>,
  { isReading = false }: Reading = {},
): Promise<ServerTimeline | undefined> {
  const { rows } = await client.query<{ system: string; timeline: string | null; isReadOnly: string }>(
    TIMELINE,
  )
  const [row] = rows
  if (row === undefined || row.timeline === null || (row.isReadOnly !== 'off' && !isReading)) return undefined
  return { system: row.system, timeline: Number.parseInt(row.timeline, 16) }
}

// The name of a WAL segment begins with eight digits of the timeline. The timeline of the last checkpoint may be older.
const TIMELINE = `SELECT
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline,
  current_setting('transaction_read_only') AS "isReadOnly"`
