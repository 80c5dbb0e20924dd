import type pg from 'pg'

/**
 * Which of several servers is the primary now: each promotion begins a new timeline. A primary that was cut off when
 * another one was promoted has a lower number, until it is told.
 */
export type ServerTimeline = { readonly system: string; readonly timeline: number }

/** @returns undefined for a server that takes no writes */
export async function serverTimelineOf(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<ServerTimeline | undefined> {
  const { rows } = await client.query<{ system: string; timeline: string | null; isReadOnly: string }>(
    TIMELINE,
  )
  const [row] = rows
  if (row === undefined || row.timeline === null || row.isReadOnly !== 'off') return undefined
  return { system: row.system, timeline: Number.parseInt(row.timeline, 16) }
}

// The name of a segment of the log begins with eight digits of the timeline. What the last checkpoint says may be
// older.
const TIMELINE = `SELECT
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline,
  current_setting('transaction_read_only') AS "isReadOnly"`
