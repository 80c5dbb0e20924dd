import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { present } from '../../src/trusted/base/assert.ts'
import type { CharterRow } from '../../src/trusted/catalogue/unit.ts'
import { readCharter } from '../../src/trusted/charter/charter-document.ts'
import { entriesOf } from '../../src/trusted/vault/authentication/directory-entries.ts'
import { NO_KEYS } from '../../src/trusted/vault/keys/file-keys.ts'
import { type Keyring, openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { readRootKeyFile } from '../../src/trusted/vault/keys/root-key.ts'
import { sealActivity, sealCharter } from '../../src/trusted/vault/seals/seals.ts'
import {
  activityColumns,
  activityValues,
  charterColumns,
  columnList,
  fieldList,
} from '../../src/host/store/columns.ts'
import { recordIn } from './stored-record.ts'

/** So many rows share one commit: the service waits for it with its own. */
const ROWS_AT_ONCE = 1_000

/**
 * Copies of one sub-organization, each with a name, an id and an address of its own, as if they had been made one by
 * one. The vault takes them for its own, since they are sealed with the root key, which a development service keeps in
 * its folder in the clear.
 *
 * @param numbers  from and to which number, both included; `Customer 7` is the seventh
 */
export function copySubOrganization(
  dataFolder: string,
  organizationId: string,
  [first, last]: readonly [number, number],
): void {
  const { db, keyring } = opened(dataFolder)
  // The columns of a charter under the names of its fields.
  const row = db
    .prepare(`SELECT ${fieldList(charterColumns)} FROM charters WHERE organization_id = ?`)
    .get(organizationId) as CharterRow | undefined
  const seed = readCharter(present(row, 'the organization to be copied').body)
  const putCharter = db.prepare(`INSERT INTO charters (${columnList(charterColumns)}) VALUES (?, ?, ?, ?)`)
  const putEntry = db.prepare('INSERT INTO directory (scope, kind, value, target) VALUES (?, ?, ?, ?)')
  inPieces(db, [first, last], (n) => {
    const charter = {
      ...seed,
      organizationId: copyId(n),
      organizationName: `Customer ${n}`,
      users: seed.users.map((user) => ({ ...user, userEmail: `person-${n}@example.com` })),
    }
    const sealed = sealCharter(keyring, charter)
    putCharter.run(sealed.organizationId, sealed.version, sealed.body, sealed.seal)
    for (const { scope, kind, value, target } of entriesOf(charter)) putEntry.run(scope, kind, value, target)
  })
  db.close()
}

/** Copies of one activity, under ids of its own time and with names of their own in the place of `name`. */
export function copyActivity(
  dataFolder: string,
  { activityId, name }: { readonly activityId: string; readonly name: string },
  [first, last]: readonly [number, number],
): void {
  const { db, keyring } = opened(dataFolder)
  const { seal: _, ...seed } = recordIn(db, 'activity_id = ?', activityId)
  const columns = Object.keys(activityColumns)
  const put = db.prepare(
    `INSERT INTO activities (${columnList(activityColumns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  inPieces(db, [first, last], (n) => {
    const copy = {
      ...seed,
      activityId: copyId(n),
      fingerprint: `sha256:${n.toString(16).padStart(64, '0')}`,
      timestampMs: seed.timestampMs + n,
      intent: seed.intent.replace(name, `${name} ${n}`),
    }
    put.run(...activityValues(sealActivity(keyring, copy)))
  })
  db.close()
}

/** Makes the last amendment of every organization so much older. */
export function ageCharters(dataFolder: string, ms: number): void {
  const { db, keyring } = opened(dataFolder)
  const put = db.prepare('UPDATE charters SET body = ?, seal = ? WHERE organization_id = ?')
  for (const { body } of db.prepare('SELECT body FROM charters').all()) {
    const charter = readCharter(String(body))
    const older = sealCharter(keyring, { ...charter, updatedAt: charter.updatedAt - ms })
    put.run(older.body, older.seal, older.organizationId)
  }
  db.close()
}

/** Makes all activities so much older, as if they had been made then. */
export function ageActivities(dataFolder: string, ms: number): void {
  const { db, keyring } = opened(dataFolder)
  const ids = db.prepare('SELECT activity_id AS id FROM activities').all()
  const remove = db.prepare('DELETE FROM activities WHERE activity_id = ?')
  const columns = Object.keys(activityColumns)
  const put = db.prepare(
    `INSERT INTO activities (${columnList(activityColumns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for (const { id } of ids) {
    const { seal: _, ...row } = recordIn(db, 'activity_id = ?', String(id))
    remove.run(String(id))
    const { timestampMs, createdAt, updatedAt } = row
    const older = { timestampMs: timestampMs - ms, createdAt: createdAt - ms, updatedAt: updatedAt - ms }
    put.run(...activityValues(sealActivity(keyring, { ...row, ...older })))
  }
  db.close()
}

function opened(dataFolder: string): { readonly db: DatabaseSync; readonly keyring: Keyring } {
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  db.exec('PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF')
  const { versions, ...more } = readRootKeyFile(readFileSync(join(dataFolder, 'root.key'), 'utf8'), NO_KEYS)
  return { db, keyring: openKeyring(versions, more) }
}

function inPieces(
  db: DatabaseSync,
  [first, last]: readonly [number, number],
  put: (n: number) => void,
): void {
  for (let next = first; next <= last; ) {
    db.exec('BEGIN IMMEDIATE')
    for (const end = Math.min(next + ROWS_AT_ONCE - 1, last); next <= end; next++) put(next)
    db.exec('COMMIT')
  }
}

/** Older than every id that a service makes now. */
function copyId(n: number): string {
  return `01000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}
