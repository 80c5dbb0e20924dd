import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { activities } from '../../src/trusted/activities/list.ts'
import { type OtpContact, otpContacts, TRIES } from '../../src/trusted/objects/otp-contact.ts'
import { privateKeys } from '../../src/trusted/objects/private-key.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { realWorld } from '../../src/trusted/base/real-world.ts'
import type { ActivityRow, ObjectRow } from '../../src/trusted/catalogue/unit.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { NO_KEYS } from '../../src/trusted/vault/keys/file-keys.ts'
import { readRootKeyFile } from '../../src/trusted/vault/keys/root-key.ts'
import { openVault } from '../../src/trusted/vault/vault.ts'
import { votesOf } from '../../src/trusted/vault/records/votes.ts'
import { holderOf } from '../../src/host/store/testing/fixtures.ts'
import type { Entry } from './ledger.ts'

/** Where the data of a life are, and whose they are. */
export type DataOf = {
  readonly dataFolder: string
  readonly databaseUrl?: string
  readonly organizationId: string
}

type AuditOf = DataOf & {
  /** What the data held before the first kill. */
  readonly before: Counts
  readonly ledger: readonly Entry[]
}

/** `amendments` is the version of the charter. */
type Counts = { readonly activities: number; readonly keys: number; readonly amendments: number }

/**
 * Looks at what is on disk, with no service running: every seal, and exactly one record and one effect for each request
 * that was sent.
 */
export async function audit(of: AuditOf): Promise<void> {
  if (of.databaseUrl === undefined) checkFile(join(of.dataFolder, 'claviger.db'))
  await withData(of, async (data) => {
    const count = (kind: Entry['kind']) => of.ledger.filter((entry) => entry.kind === kind).length
    const rows = new Map(data.activities.map((row) => [row.fingerprint, row]))
    assert.equal(rows.size, data.activities.length, 'a request has one record')
    const tries = triesIn(of.ledger)
    checkTries(tries, data)
    const lost = [...tries.values()].reduce((sum, sent) => sum + Math.max(0, sent - TRIES), 0)
    const requests = of.ledger.length - count('approve') - lost
    assert.equal(data.activities.length, of.before.activities + requests, 'every record is of a request')
    assert.equal(data.keys.length, of.before.keys + count('key'), 'a key is made once')
    assert.equal(data.version, of.before.amendments + count('rename'), 'a charter is amended once')
    for (const entry of of.ledger) {
      if (entry.kind === 'try') continue
      if (entry.kind === 'approve') checkApproved(entry, rows)
      else checkRecord(entry, present(rows.get(entry.fingerprint), `the record of ${entry.body}`))
      if (entry.keyName === undefined) continue
      const holder = await holderOf(data.store, of.organizationId, 'PRIVATE_KEY_NAME', entry.keyName)
      assert.ok(data.keys.some(({ objectId }) => objectId === holder))
    }
  })
}

export async function countsOf(of: DataOf): Promise<Counts> {
  return await withData(of, async ({ activities: rows, keys, version }) => ({
    activities: rows.length,
    keys: keys.length,
    amendments: version,
  }))
}

type Data = {
  readonly store: Store
  readonly activities: readonly ActivityRow[]
  readonly keys: readonly ObjectRow[]
  readonly contacts: readonly OtpContact[]
  readonly version: number
}

/** The store itself, while no service has it. */
export async function openData({
  dataFolder,
  databaseUrl,
}: Pick<DataOf, 'dataFolder' | 'databaseUrl'>): Promise<Store> {
  return databaseUrl === undefined
    ? openSqlite({ path: join(dataFolder, 'claviger.db') })
    : await openPostgres({ url: databaseUrl })
}

async function withData<T>(
  { dataFolder, databaseUrl, organizationId }: DataOf,
  use: (data: Data) => Promise<T>,
): Promise<T> {
  const store = await openData({ dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
  try {
    const keys = readRootKeyFile(readFileSync(join(dataFolder, 'root.key'), 'utf8'), NO_KEYS)
    const vault = openVault({ world: realWorld, keyring: openKeyring(keys.versions, keys), activities })
    const charter = present(await store.charter(organizationId), 'the charter')
    const rows = await allActivities(store, organizationId)
    const objects = await store.objectsOfKind(organizationId, privateKeys.kind, { limit: 1_000_000 })
    const codes = await store.objectsOfKind(organizationId, otpContacts.kind, { limit: 1_000_000 })
    await vault.check({ charters: [charter], activities: rows, objects: [...objects, ...codes] })
    const contacts = codes.map(({ body }) => otpContacts.parse(body))
    return await use({ store, activities: rows, keys: objects, contacts, version: charter.version })
  } finally {
    await store.close()
  }
}

async function allActivities(store: Store, organizationId: string): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = []
  for (;;) {
    const after = rows.at(-1)?.activityId
    const page = await store.activities(
      organizationId,
      {},
      { limit: 1000, ...(after === undefined ? {} : { after }) },
    )
    if (page.length === 0) return rows
    rows.push(...page)
  }
}

/** What the caller was told is what the record says: a signature that left the service is in it, to the byte. */
function checkRecord(entry: Entry, row: ActivityRow): void {
  const answer = present(entry.answer, `an answer to ${entry.body}`)
  // An activity as the service answers it.
  const { activity } = JSON.parse(answer) as { activity: { id: string; status: string } }
  assert.equal(row.activityId, activity.id)
  assert.equal(votesOf(row.votes)[0]?.message, entry.body, 'the record holds the very bytes that were sent')
  if (entry.kind === 'propose') return
  assert.equal(row.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.ok(
    answer.includes((row.result ?? '').slice(1, -1)),
    'the result that was answered is the one recorded',
  )
}

function checkApproved(entry: Entry, rows: ReadonlyMap<string, ActivityRow>): void {
  // The body of an approval, as the load wrote it.
  const { parameters } = JSON.parse(entry.body) as { parameters: { fingerprint: string } }
  const row = present(rows.get(parameters.fingerprint), 'the record that was voted on')
  assert.equal(row.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(row.revision, 2, 'a vote is counted once')
  assert.equal(new Set(votesOf(row.votes).map(({ userId }) => userId)).size, 2)
  assert.ok(entry.answer?.includes((row.result ?? '').slice(1, -1)))
}

/** How often each code was tried. */
function triesIn(ledger: readonly Entry[]): ReadonlyMap<string, number> {
  const tries = new Map<string, number>()
  for (const { otpId } of ledger) if (otpId !== undefined) tries.set(otpId, (tries.get(otpId) ?? 0) + 1)
  return tries
}

/**
 * A try that counts leaves a record that it has failed, and one try fewer; every one after the third leaves neither.
 */
function checkTries(sent: ReadonlyMap<string, number>, data: Data): void {
  const recorded = new Map<string, number>()
  for (const { status, votes } of data.activities) {
    if (status !== 'ACTIVITY_STATUS_FAILED') continue
    // Of this load nothing else fails: the body of a try, as the load wrote it.
    const body = JSON.parse(votesOf(votes)[0]?.message ?? '') as { parameters: { otpId: string } }
    recorded.set(body.parameters.otpId, (recorded.get(body.parameters.otpId) ?? 0) + 1)
  }
  for (const [otpId, times] of sent)
    assert.equal(recorded.get(otpId), Math.min(times, TRIES), `of ${times} tries of ${otpId}`)
  const codes = data.contacts.flatMap((contact) => contact.codes)
  // What has expired may have been swept away.
  for (const { otpId, triesLeft } of codes)
    assert.equal(triesLeft, TRIES - (recorded.get(otpId) ?? 0), `the tries that are left of ${otpId}`)
}

function checkFile(path: string): void {
  const db = new DatabaseSync(path)
  const found = db.prepare('PRAGMA integrity_check').all()
  db.close()
  assert.deepEqual(
    found.map((row) => Object.values(row)),
    [['ok']],
  )
}
