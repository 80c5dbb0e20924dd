import type pg from 'pg'
import type { Connections } from './connection.ts'
import { ofActivity } from './listing.ts'
import { inTransaction } from './transaction.ts'
import { snapshotBeginning } from '../record-texts.ts'
import { REST } from '../rest-of-organization.ts'
import { isRowWith, type NewSeal, SEALED_TABLES, type SealedTable } from '../resealing.ts'
import { shapeOf } from '../scan.ts'
import type { ErasedSnapshots, Store } from '../store.ts'

/** @param tracked  runs work that the closing of the store waits for, and translates its errors */
export function postgresReseal(
  { units, vital }: Pick<Connections, 'units' | 'vital'>,
  tracked: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Pick<Store, 'reseal' | 'replaceNote' | 'removeActivities' | 'eraseRest' | 'eraseSnapshots'> {
  return {
    reseal: (seals) =>
      tracked(() =>
        inTransaction(units, async (client) => ({ keep: true, result: await writeSeals(client, seals) })),
      ),
    removeActivities: (activities) =>
      tracked(() =>
        inTransaction(units, async (client) => ({ keep: true, result: await remove(client, activities) })),
      ),
    eraseRest: (organizationId, limit) =>
      tracked(() =>
        inTransaction(units, async (client) => {
          let result = 0
          for (const erase of ERASE_REST)
            result += (await client.query({ ...erase, values: [organizationId, limit] })).rowCount ?? 0
          return { keep: true, result }
        }),
      ),
    eraseSnapshots: (userId, named, { after, limit }) =>
      tracked(() =>
        inTransaction(units, async (client) => {
          const from = [after?.organizationId ?? '', after?.digest ?? '']
          const values = [snapshotBeginning(userId), named, ...from, limit]
          const { rows } = await client.query<ErasedSnapshots['last'] & { readonly erased: number }>({
            ...ERASE_SNAPSHOTS,
            values,
          })
          const [last] = rows
          return { keep: true, result: { erased: last?.erased ?? 0, last } }
        }),
      ),
    replaceNote: async (name, before, after) => {
      if (before === null) return after === null || (await changed(vital, { ...ADD, values: [name, after] }))
      return await (after === null
        ? changed(vital, { ...REMOVE, values: [name, before] })
        : changed(vital, { ...REPLACE, values: [name, before, after] }))
    },
  }

  async function changed(pool: Connections['vital'], statement: Parameters<typeof vital.write>[0]) {
    return (await tracked(() => pool.write(statement))).rowCount === 1
  }
}

// A page at a time, so that no row is locked for long. If units lock the same rows in another order, PostgreSQL breaks
// the circle, and the transaction is tried again.
async function writeSeals(client: pg.ClientBase, seals: readonly NewSeal[]): Promise<number> {
  let written = 0
  for (const table of SEALED_TABLES) {
    const update = { name: `reseal ${table}`, text: updateOf(table) }
    for (const { key, from, to } of seals.filter((seal) => seal.table === table))
      written += (await client.query({ ...update, values: [...key, from, to] })).rowCount ?? 0
  }
  return written
}

async function remove(
  client: pg.ClientBase,
  activities: Parameters<Store['removeActivities']>[0],
): Promise<number> {
  let removed = 0
  for (const { organizationId, activityId, seal } of activities)
    removed +=
      (await client.query({ ...REMOVE_ACTIVITY, values: [organizationId, activityId, seal] })).rowCount ?? 0
  return removed
}

/** An activity is first found and locked, as when a vote replaces it. */
const ACTIVITY_WITH = `ctid = (SELECT ctid FROM activities ${ofActivity('$1', '$2')} FOR UPDATE) AND seal = $3`

function updateOf(table: SealedTable): string {
  const { name, key } = shapeOf(table)
  const isMeant = table === 'activities' ? ACTIVITY_WITH : isRowWith(table, (n) => `$${n}`)
  return `UPDATE ${name} SET seal = $${key.length + 2} WHERE ${isMeant}`
}

const ERASE_REST = REST.map(({ name, isOf }) => ({
  name: `erase ${name}`,
  text: `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${isOf('$1')} LIMIT $2))`,
}))

const ERASE_SNAPSHOTS = {
  name: 'erase snapshots',
  text: `WITH page AS (SELECT organization_id, digest, starts_with(body, $1) AND digest <> ALL ($2) AS is_wanted
      FROM record_texts WHERE (organization_id, digest) > ($3, $4) ORDER BY organization_id, digest LIMIT $5),
    gone AS (DELETE FROM record_texts USING page WHERE is_wanted
      AND record_texts.organization_id = page.organization_id AND record_texts.digest = page.digest RETURNING 1)
    SELECT (SELECT count(*) FROM gone) AS erased, organization_id AS "organizationId", digest
      FROM page ORDER BY organization_id DESC, digest DESC LIMIT 1`,
}

const REMOVE_ACTIVITY = {
  name: 'remove activity',
  text: `DELETE FROM activities WHERE ${ACTIVITY_WITH}`,
}
const ADD = {
  name: 'add note',
  text: 'INSERT INTO notes (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
}
const REPLACE = { name: 'replace note', text: 'UPDATE notes SET value = $3 WHERE name = $1 AND value = $2' }
const REMOVE = { name: 'remove note', text: 'DELETE FROM notes WHERE name = $1 AND value = $2' }
