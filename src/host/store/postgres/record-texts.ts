import type pg from 'pg'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { checkFields } from './columns.ts'
import { isRefusal } from './errors.ts'
import type { Statement } from './pool.ts'
import type { RecordText, RecordTexts } from '../record-texts.ts'
import { withoutWarning } from './without-warning.ts'

type Query = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<Row>>

/**
 * The form in which these records are stored, by the connection that then writes them: another one may lead to a server
 * that lacks texts which were stored before. Their texts are committed first.
 */
export async function compactRecords(
  texts: RecordTexts,
  rows: readonly ActivityRow[],
  client: pg.ClientBase,
): Promise<readonly ActivityRow[]> {
  return await texts.compact(rows, async (wanted) => {
    try {
      const bodies = wanted.map(({ body }) => body)
      await withoutWarning(client, () => client.query({ ...PUT_TEXTS, values: [...keysOf(wanted), bodies] }))
      return (await client.query<RecordText>({ ...TEXTS, values: keysOf(wanted) })).rows
    } catch (error) {
      // Records are then stored whole.
      if (isRefusal(error)) return []
      throw error
    }
  })
}

/** The records as they were sealed. */
export async function expandRecords(
  texts: RecordTexts,
  stored: readonly ActivityRow[],
  read: Query,
): Promise<readonly ActivityRow[]> {
  return await texts.expand(stored, async (keys) => {
    const { fields, rows } = await read<RecordText>({ ...TEXTS, values: keysOf(keys) })
    checkFields(fields)
    return rows
  })
}

function keysOf(keys: readonly { readonly organizationId: string; readonly digest: string }[]): string[][] {
  return [keys.map(({ organizationId }) => organizationId), keys.map(({ digest }) => digest)]
}

const PUT_TEXTS = {
  name: 'put record texts',
  text: `INSERT INTO record_texts (organization_id, digest, body)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
}
const TEXTS = {
  name: 'record texts',
  text: `SELECT found.organization_id AS "organizationId", found.digest, found.body
    FROM unnest($1::text[], $2::text[]) AS wanted (organization_id, digest) CROSS JOIN LATERAL (
      SELECT * FROM record_texts WHERE record_texts.organization_id = wanted.organization_id
        AND record_texts.digest = wanted.digest OFFSET 0
    ) AS found`,
}
