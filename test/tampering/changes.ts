import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { present } from '../../src/trusted/base/assert.ts'
import { seeded } from '../support/seeded.ts'

/** One thing that someone with the database in their hands may do to it. */
export type Change = { readonly what: string; readonly statements: readonly Statement[] }

type Statement = { readonly sql: string; readonly values: readonly SQLInputValue[] }

/**
 * Every column of every row of every table: one byte or one number, another value of the same kind, the value of the
 * next row.
 */
export function everyChange(db: DatabaseSync): readonly Change[] {
  const random = seeded('tampering')
  return tablesOf(db).flatMap(({ table, columns, keys }) => {
    const rows = db.prepare(`SELECT * FROM ${table} ORDER BY ${keys.join(', ')}`).all()
    return rows.flatMap((row, at) =>
      columns.flatMap(({ name, isNullable }): readonly Change[] => {
        const value = present(row[name] === undefined ? undefined : { is: row[name] }, name).is
        const next = present(rows[(at + 1) % rows.length], 'a row')
        const what = `${table}.${name} of ${keys.map((key) => String(row[key])).join(' ')}`
        const set = (target: typeof row, to: SQLInputValue, column = name): Statement => ({
          sql: `UPDATE ${table} SET ${column} = ? WHERE ${keys.map((key) => `${key} = ?`).join(' AND ')}`,
          values: [to, ...keys.map((key) => target[key] ?? null)],
        })
        const single = (how: string, to: SQLInputValue): Change => ({
          what: `${what}: ${how}`,
          statements: [set(row, to)],
        })
        const found: Change[] = []
        if (typeof value === 'string' && value !== '')
          found.push(single('one bit', flipped(value, random.below(value.length))))
        if (typeof value === 'string') found.push(single('one more character', `${value} `))
        if (typeof value === 'number')
          found.push(single('one more', value + 1), single('one less', value - 1))
        if (isNullable) found.push(single('null or not', value === null ? '{}' : null))
        for (const other of OTHERS[`${table}.${name}`] ?? [])
          if (other !== value) found.push(single(`now ${other}`, other))
        const { seal } = row
        if (SHOWN.includes(name) && typeof value === 'string' && value !== '' && typeof seal === 'string')
          found.push({
            what: `${what}: one bit, and a version of the root key that is not held`,
            statements: [
              set(row, flipped(value, random.below(value.length))),
              set(row, unheld(seal), 'seal'),
            ],
          })
        if (next[name] !== value) {
          found.push(single('that of the next row', next[name] ?? null))
          if (!keys.includes(name))
            found.push({
              what: `${what}: exchanged with the next row`,
              statements: [set(row, next[name] ?? null), set(next, value)],
            })
        }
        return found
      }),
    )
  })
}

/** What answers show of sealed rows. */
const SHOWN: readonly string[] = ['body', 'intent', 'result']

/** The seal as if another version of the root key had made it, so that nobody can verify it. */
function unheld(seal: string): string {
  return seal.replace(/^(\d+)\.\d+\./, '$1.7.')
}

/** Values that mean something. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'activities.status': [
    'ACTIVITY_STATUS_COMPLETED',
    'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    'ACTIVITY_STATUS_FAILED',
    'ACTIVITY_STATUS_REJECTED',
  ],
  'activities.type': ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', 'ACTIVITY_TYPE_CREATE_POLICY_V3'],
  'objects.kind': ['private_key', 'import_target', 'wallet_account', 'usage_meter'],
  'directory.kind': ['ADDRESS', 'NAME', 'PUBLIC_KEY', 'SUB_ORGANIZATION'],
}

/** Applies it; false when the table itself forbids it, such as two rows of one key. */
export function apply(db: DatabaseSync, { statements }: Change): boolean {
  try {
    for (const { sql, values } of statements) db.prepare(sql).run(...values)
    return true
  } catch (error) {
    if (error instanceof Error && /constraint|cannot store/i.test(error.message)) return false
    throw error
  }
}

type Table = {
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly isNullable: boolean }[]
  readonly keys: readonly string[]
}

function tablesOf(db: DatabaseSync): readonly Table[] {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  return tables.map(({ name: table }) => {
    const columns = db.prepare(`PRAGMA table_info(${String(table)})`).all()
    return {
      table: String(table),
      columns: columns.map(({ name, notnull }) => ({ name: String(name), isNullable: notnull === 0 })),
      keys: columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name)),
    }
  })
}

/** The lowest bit of one character, which leaves a text a text. */
function flipped(text: string, at: number): string {
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
}
