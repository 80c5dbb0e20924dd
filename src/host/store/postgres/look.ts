import { TLSSocket } from 'node:tls'
import type pg from 'pg'
import type { Ms } from '../../../trusted/base/world.ts'
import { besidePostgres } from './beside.ts'
import type { Pool } from './pool.ts'

/** The statements of a database server about itself, for the operator. */
type PostgresLook = {
  readonly version: string
  readonly now: number
  readonly synchronousCommit: string
  /** Empty if no standby has to confirm. */
  readonly standbys: string
  /** The expiry of the server's certificate; undefined if the connection is not encrypted. */
  readonly certificateEnds: Ms | undefined
}

/** Asks the primary. */
export async function lookAtPostgres(url: string, connectMs: number): Promise<PostgresLook> {
  const look = (pool: Pool): Promise<PostgresLook> => pool.lend(lookOver)
  return await besidePostgres(url, look, { connectMs })
}

async function lookOver(client: pg.ClientBase): Promise<PostgresLook> {
  const { rows } = await client.query<{ version: string; now: string; commit: string; standbys: string }>(
    `SELECT current_setting('server_version') AS version,
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now,
            current_setting('synchronous_commit') AS commit,
            current_setting('synchronous_standby_names') AS standbys`,
  )
  const { version = '', now = '0', commit = '', standbys = '' } = rows[0] ?? {}
  const certificateEnds = endOfCertificate(client)
  return { version, now: Number(now), synchronousCommit: commit, standbys, certificateEnds }
}

function endOfCertificate(client: object): Ms | undefined {
  // The client has no other way to its socket; its types leave this one out.
  const { connection } = client as { readonly connection?: { readonly stream?: unknown } }
  const stream = connection?.stream
  return stream instanceof TLSSocket ? Date.parse(stream.getPeerCertificate().valid_to) : undefined
}
