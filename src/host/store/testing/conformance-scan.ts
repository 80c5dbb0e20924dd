import assert from 'node:assert/strict'
import type { ScanKey } from '../scan.ts'
import type { Store } from '../store.ts'
import { type Table, type TableRows, tables } from '../tables.ts'
import type { Promised } from './conformance-promise.ts'
import {
  aCharter,
  aJob,
  aJudgedRecord,
  anAmendment,
  anEntry,
  anObject,
  aRecord,
  aRequest,
  aSignature,
  aUnit,
} from './fixtures.ts'

/** The promises of `Store` about reading all its rows. */
export function scanPromises(promise: Promised): void {
  promise(
    'a scan reads every row of every table once, as it was put, in the order of its key',
    async (store) => {
      await fill(store)
      const whole = await everything(store, 1_000)

      assert.deepEqual(whole.charters, [aCharter('B', 1), aCharter('a', 1), aCharter('org', 1)])
      assert.deepEqual(whole.activities, [aSignature(1, 'a'), ...signatures(), aRequest(500)])
      assert.deepEqual(whole.objects, [anObject('Z'), anObject('b', { expiresAt: 5 }), anObject('ü 🗝')])
      assert.deepEqual(whole.claims, [anEntry('one', 'user'), anEntry('two', 'user')])
      assert.deepEqual(whole.directory, [
        anEntry('', 'hook', { kind: 'WEBHOOK' }),
        anEntry('shared', 'user 1'),
        anEntry('shared', 'user 2'),
      ])
      assert.deepEqual(whole.notes, [{ name: 'root', value: 'one' }])
      assert.deepEqual(
        whole.jobs.map(({ kind, jobId, activityId, dead, failure }) => ({
          kind,
          jobId,
          activityId,
          dead,
          failure,
        })),
        [
          { kind: 'email', jobId: 'mail', activityId: null, dead: 1, failure: 'refused' },
          { kind: 'webhook', jobId: null, activityId: aRequest(500).activityId, dead: 0, failure: null },
        ],
      )
      assert.equal(whole.orderingKeys.length, 1)
      for (const limit of [1, 2, 3]) assert.deepEqual(await everything(store, limit), whole)
    },
  )

  promise('records that share their texts are read and scanned as they were sealed', async (store, again) => {
    const rows = [1, 2, 3, 4].map((n) => aJudgedRecord(n))
    for (const row of rows) await store.commit(aRecord(row))
    await store.close()
    const reopened = await again()
    assert.ok(
      (await reopened.eraseSnapshots('nobody', [], { limit: 9 })).last !== undefined,
      'a text is kept apart',
    )

    assert.deepEqual((await reopened.scan('activities', { limit: 9 })).rows, rows)
    for (const row of rows) assert.deepEqual(await reopened.activity(row.organizationId, row.activityId), row)
  })

  promise('a page of a scan ends early where its rows are long, and always has a row', async (store) => {
    const long = (id: string) => aCharter(id, 1, 'ü'.repeat(700_000))
    for (const id of ['a', 'b', 'c']) await store.commit(anAmendment(long(id)))

    const { rows, last } = await store.scan('charters', { limit: 100 })
    assert.deepEqual(rows, [long('a')])
    assert.deepEqual(last, ['a'])
    const { charters } = await everything(store, 100)
    assert.deepEqual(charters, ['a', 'b', 'c'].map(long))
  })

  promise('a scan goes on beside what is written, and passes over nothing that stays', async (store) => {
    for (let n = 0; n < 40; n += 2) await store.commit(aRecord(aRequest(n)))
    const seen: string[] = []
    let after: ScanKey | undefined
    for (let n = 1; ; n += 2) {
      const page = await store.scan('activities', { limit: 3, after })
      if (page.last === undefined) break
      after = page.last
      seen.push(...page.rows.map(({ activityId }) => activityId))
      await store.commit(aRecord(aRequest(n)))
    }
    assert.equal(new Set(seen).size, seen.length)
    for (let n = 0; n < 40; n += 2) assert.ok(seen.includes(aRequest(n).activityId))
  })
}

async function fill(store: Store): Promise<void> {
  for (const id of ['org', 'a', 'B']) await store.commit(anAmendment(aCharter(id, 1)))
  for (const row of [...signatures(), aSignature(1, 'a')]) await store.commit(aRecord(row))
  await store.noteOnce('root', 'one')
  await store.commit(
    aUnit({
      objects: { put: [anObject('ü 🗝'), anObject('b', { expiresAt: 5 }), anObject('Z')], remove: [] },
      claims: { put: [anEntry('two', 'user'), anEntry('one', 'user')], remove: [] },
      directory: {
        put: [
          anEntry('shared', 'user 2'),
          anEntry('shared', 'user 1'),
          anEntry('', 'hook', { kind: 'WEBHOOK' }),
        ],
        remove: [],
      },
      jobs: [aJob('mail')],
    }),
  )
  const [mail] = await store.takeJobs({ now: 2_000, leaseMs: 10, limit: 1 })
  assert.ok(mail !== undefined)
  await store.deadLetterJob(mail.sequence, { failure: 'refused' })
  await store.commit(aRecord(aRequest(500), [], ['org']))
}

function signatures() {
  return Array.from({ length: 9 }, (_, n) => aSignature(n))
}

type Everything = { readonly [T in Table]: readonly TableRows[T][] }

async function everything(store: Store, limit: number): Promise<Everything> {
  const found: { [table: string]: readonly object[] } = {}
  // These are exactly the names of the tables.
  for (const table of Object.keys(tables) as Table[]) found[table] = await scanned(store, table, limit)
  // Each table is read under its own name.
  return found as object as Everything
}

async function scanned<T extends Table>(store: Store, table: T, limit: number): Promise<TableRows[T][]> {
  const rows: TableRows[T][] = []
  for (let after: ScanKey | undefined; ; ) {
    const page = await store.scan(table, { limit, after })
    if (page.last === undefined) return rows
    assert.ok(page.rows.length <= limit)
    rows.push(...page.rows)
    after = page.last
  }
}
