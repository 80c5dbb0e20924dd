import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { present } from '../../src/trusted/base/assert.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { ActivityRow, ObjectRow } from '../../src/trusted/catalogue/unit.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { openObject, sealObject } from '../../src/trusted/vault/seals/seals.ts'
import { objectKinds } from '../../src/trusted/objects/list.ts'
import { outlivesItsObject } from '../../src/host/copies/index-sums.ts'
import { type RowSource, snapshotSource } from '../../src/host/copies/row-source.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import {
  newVerifyState,
  readVerifyState,
  type VerifyState,
  verifyStateText,
} from '../../src/host/copies/verify-state.ts'
import { fieldList, objectColumns } from '../../src/host/store/columns.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { sqlitePages } from '../../src/host/store/sqlite/scan.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { apply, type Change, everyChange } from '../tampering/changes.ts'
import { aCache, onFile, openServiceOn, START } from '../tampering/harness.ts'
import { populate } from '../tampering/populated.ts'
import { testWorld } from '../support/service.ts'
import { recordIn } from '../support/stored-record.ts'

const cache = aCache()
after(() => cache.clear())
const original = cache.path('original.db')
await onFile(original, populate)

test('a store that nobody has changed is found well, and every row of it is counted', async () => {
  const state = await verifiedFile(original)
  assert.deepEqual(state.problems, [])
  assert.ok(state.counts.activities > 20)
  for (const table of ['charters', 'objects', 'claims', 'directory', 'notes'] as const)
    assert.ok(state.counts[table] > 0, table)
})

test('the days that a host notes of credentials are no fault', async () => {
  const noted = cache.changed(original, (db) =>
    db.exec(
      "INSERT INTO directory (scope, kind, value, target) VALUES ('o', 'LAST_USED', 'u', '2026-11-23')",
    ),
  )
  assert.deepEqual((await verifiedFile(noted)).problems, [])
})

test('what organizations have used of their quotas is no fault, and another name that nobody holds is one', async () => {
  const claimed = async (scope: string) => {
    const changed = cache.changed(original, (db) =>
      db.exec(`INSERT INTO claims (scope, kind, value, target) VALUES ('${scope}', 'USED', 'o', '{}')`),
    )
    return (await verifiedFile(changed)).problems.length
  }
  assert.deepEqual([await claimed('@quotas'), await claimed('@others')], [0, 1])
})

test('data of the version before are found well', async () => {
  const path = cache.path('before.db')
  writeFileSync(path, gunzipSync(readFileSync(new URL('../stored/before-formats.db.gz', import.meta.url))))
  await openSqlite({ path }).close()
  assert.deepEqual((await verifiedFile(path)).problems, [])
})

/** Columns that no seal and no index speaks of: how a job is doing, and notes that prove nothing. */
const UNSEALED =
  /^(errands\.(?!seal|errand_id|organization_id|lane)|lanes\.(due_at|taken_at|tenant)|notes\.\w+ of probe|migrations\.)/

/**
 * What a store may be without being wrong: a row that is kept for longer, and an entry that an earlier version did not
 * write.
 */
const HARMLESS = /^objects\.expires_at|^directory (ACCOUNT_PUBLIC_KEY|SOLE_PUBLIC_KEY) \S+( \S+)? goes$/

test('a change to any column of any row is found, and a row that is taken away or put twice too', async () => {
  const vault = await aVault()
  const db = new DatabaseSync(cache.changed(original, () => {}))
  const missed: string[] = []
  let tried = 0
  for (const [at, change] of [...everyChange(db), ...removals(db)].entries()) {
    // Of the records, which are alike, a part is enough.
    if (change.what.startsWith('activities.') && at % 7 !== 0) continue
    if (UNSEALED.test(change.what) || HARMLESS.test(change.what)) continue
    db.exec('BEGIN')
    const before = recordOf(db, change)
    if (apply(db, change) && !isSame(before, recordOf(db, change))) {
      tried++
      const { problemCount } = await verified(db, vault)
      if (problemCount === 0) missed.push(change.what)
    }
    db.exec('ROLLBACK')
  }
  db.close()
  assert.deepEqual(missed, [])
  assert.ok(tried > 500, `${tried} changes were tried`)
})

/** What is stored of a record may stand in two forms that are read as the same. */
function recordOf(db: DatabaseSync, { what }: Change): ActivityRow | undefined {
  const activityId = /^activities\.(?:votes|evaluations) of \S+ (\S+):/.exec(what)?.[1]
  return activityId === undefined ? undefined : recordIn(db, 'activity_id = ?', activityId)
}

function isSame(before: ActivityRow | undefined, after: ActivityRow | undefined): boolean {
  return before !== undefined && isDeepStrictEqual(before, after)
}

test('what is wrong is named: the row, and what is the matter with it', async () => {
  const path = cache.changed(original, (db) => {
    db.exec(
      "UPDATE activities SET status = 'ACTIVITY_STATUS_COMPLETED' WHERE status = 'ACTIVITY_STATUS_REJECTED'",
    )
    db.exec("DELETE FROM claims WHERE kind = 'WALLET_NAME'")
    db.exec("INSERT INTO directory VALUES ('org', 'ADDRESS', '0x1', 'nobody')")
    db.exec("INSERT INTO lanes (lane, due_at) VALUES ('message none', 1)")
  })
  const { problems } = await verifiedFile(path)
  const said = problems.map(({ what, problem }) => `${what}: ${problem}`).toSorted()
  assert.match(
    said.join('\n'),
    /^activity [0-9a-f-]{36} of organization [0-9a-f-]{36}: its seal does not hold$/m,
  )
  assert.match(
    said.join('\n'),
    /^claim WALLET_NAME "[^"]+" of [0-9a-f-]{36}, which leads to [0-9a-f-]{36}: it is missing$/m,
  )
  assert.ok(
    said.includes('entry of the directory ADDRESS "0x1" of org, which leads to nobody: nothing has it'),
  )
  assert.ok(said.includes('ordering key message none: no job waits under it'))
})

test('a public key that is not the one of the sealed secret is found, although its seal holds', async () => {
  const path = cache.changed(original, () => {})
  const db = new DatabaseSync(path)
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }])
  const randomBytes = testWorld(1, START).randomBytes
  const kinds = ['private_key', 'wallet_account', 'wallet', 'import_target']
  for (const kind of kinds) {
    // The cast holds because the columns are read under the names of the fields.
    const row = db
      .prepare(`SELECT ${fieldList(objectColumns)} FROM objects WHERE kind = ? LIMIT 1`)
      .get(kind) as ObjectRow | undefined
    const { seal, organizationId, objectId, ...rest } = present(row, kind)
    openObject(keyring, { seal, organizationId, objectId, ...rest })
    const other = new Secret(
      kind === 'wallet' ? Buffer.from('zoo '.repeat(11) + 'wrong') : new Uint8Array(32).fill(7),
    )
    const changed = sealObject(keyring, { organizationId, objectId, ...rest }, other, randomBytes)
    db.prepare('UPDATE objects SET seal = ? WHERE organization_id = ? AND kind = ? AND object_id = ?').run(
      changed.seal,
      organizationId,
      kind,
      objectId,
    )
  }
  const { problems } = await verified(db, await aVault())
  db.close()
  assert.deepEqual(
    problems.map(({ what, problem }) => `${what.split(' ')[0]}: ${problem}`).toSorted(),
    kinds.map((kind) => `${kind}: its public key is not the one of its sealed secret`).toSorted(),
  )
})

test('a verification that is killed goes on where it stood, and finds what it would have found', async () => {
  const path = cache.changed(original, (db) => {
    db.exec(
      "UPDATE charters SET seal = 'x' WHERE organization_id = (SELECT min(organization_id) FROM charters)",
    )
    db.exec("DELETE FROM directory WHERE kind = 'ADDRESS'")
  })
  const whole = await verifiedFile(path)
  assert.ok(whole.problemCount > 1)
  const vault = await aVault()
  const db = new DatabaseSync(path)
  const killed = new Error('killed')
  let state = newVerifyState('salt')
  let rounds = 0
  for (let isDone = false; !isDone; rounds++) {
    let kept = verifyStateText(state)
    let pauses = 0
    isDone = await verifyRows(sourceOf(db), vault, {
      state,
      pauseAfterRows: 1,
      paused: async () => {
        if (++pauses === 2) throw killed
        kept = verifyStateText(state)
      },
    }).then(
      () => true,
      (error) => {
        assert.equal(error, killed)
        return false
      },
    )
    if (!isDone) state = present(readVerifyState(kept), 'the state')
  }
  db.close()
  assert.ok(rounds > 3)
  assert.deepEqual(state.problems.toSorted(byWhat), whole.problems.toSorted(byWhat))
  assert.deepEqual(state.counts, whole.counts)
})

test('what is no state of a verification is not taken for one', () => {
  for (const text of ['', '{}', 'null', '{"format":"claviger verification 2","salt":"x","sums":"AA=="}'])
    assert.equal(readVerifyState(text), undefined)
})

test('index rows of kinds that are swept away, and no others, are passed over', () => {
  assert.deepEqual(
    [...objectKinds.values()]
      .filter(({ expiresAt }) => expiresAt !== undefined)
      .map(({ kind }) => kind)
      .toSorted(),
    [
      'email_event',
      'otp_contact',
      'otp_requests',
      'secret_target',
      'text_event',
      'usage_meter',
      'used_nonce',
      'used_token',
    ],
  )
  const passed = ['MAIL_TO', 'OTP', 'ADDRESS', 'NAME', 'WEBHOOK', 'PASSKEY'].filter((kind) =>
    outlivesItsObject('directory', { scope: 'org', kind, value: '', target: '' }),
  )
  assert.deepEqual(passed, ['MAIL_TO', 'OTP'])
})

function byWhat(a: { readonly what: string }, b: { readonly what: string }): number {
  return a.what < b.what ? -1 : 1
}

/** Rows of an index that go, and rows that come twice under another target. */
function removals(db: DatabaseSync): readonly Change[] {
  return (['claims', 'directory'] as const).flatMap((table) =>
    db
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .flatMap(({ scope, kind, value, target }) => {
        const what = `${table} ${String(kind)} ${String(value)}`
        const values = [scope, kind, value, target].map(String)
        return [
          {
            what: `${what} goes`,
            statements: [
              {
                sql: `DELETE FROM ${table} WHERE scope = ? AND kind = ? AND value = ? AND target = ?`,
                values,
              },
            ],
          },
          {
            what: `${what} comes twice`,
            statements: [
              {
                sql: `INSERT INTO ${table} VALUES (?, ?, ?, ?)`,
                values: [...values.slice(0, 2), `${value}x`, String(target)],
              },
            ],
          },
        ]
      }),
  )
}

async function aVault(): Promise<Vault> {
  const store = openSqlite({ path: ':memory:' })
  return (await openServiceOn(store, testWorld(1, START))).vault
}

async function verifiedFile(path: string): Promise<VerifyState> {
  const db = new DatabaseSync(path)
  try {
    return await verified(db, await aVault())
  } finally {
    db.close()
  }
}

async function verified(db: DatabaseSync, vault: Vault): Promise<VerifyState> {
  const state = newVerifyState('salt')
  await verifyRows(sourceOf(db), vault, { state, pauseAfterRows: 1_000, paused: async () => {} })
  return state
}

function sourceOf(db: DatabaseSync): RowSource {
  const pages = sqlitePages(db, { charactersMax: 1024 * 1024 })
  return snapshotSource({ scan: async (table, page) => pages(table, page) })
}
