import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { rowCharacters, type Scan, type ScanKey } from '../scan.ts'
import { aJudgedRecord, aRecord } from '../testing/fixtures.ts'
import { connectPostgres } from './connection.ts'
import { openPostgres } from './postgres.ts'
import { postgresScan } from './scan.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

const records = Array.from({ length: 7 }, (_, n) => aJudgedRecord(n))
/** All of them are as long as the first one. */
const characters = rowCharacters(aJudgedRecord(0))

for (const { charactersMax, lengths } of [
  { charactersMax: characters, lengths: [1, 1, 1, 1, 1, 1, 1] },
  { charactersMax: characters + 1, lengths: [2, 2, 2, 1] },
  { charactersMax: 100 * characters, lengths: [7] },
])
  test(
    `a page ends with the record that reaches ${charactersMax} characters with its texts`,
    options,
    async (t) => {
      const pages = await pagesOf(await scanOfRecords(t, charactersMax))
      assert.deepEqual(pages.flat(), records)
      assert.deepEqual(
        pages.map((rows) => rows.length),
        lengths,
      )
    },
  )

test('a page ends with the row that reaches the maximum', options, async (t) => {
  const { lists, vital, end } = await connectPostgres({ url: await freshDatabase() })
  t.after(end)
  await vital.write({ text: "INSERT INTO notes VALUES ('a', '1234'), ('b', '1234')" })
  const scan = postgresScan((statement) => lists.read(statement), { charactersMax: 5 })
  const { rows } = await scan('notes', { limit: 100 })
  assert.deepEqual(rows, [{ name: 'a', value: '1234' }])
})

async function scanOfRecords(t: TestContext, charactersMax: number): Promise<Scan> {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  for (const record of records) await store.commit(aRecord(record))
  await store.close()
  const { lists, end } = await connectPostgres({ url })
  t.after(end)
  const short = await lists.read({ text: "SELECT FROM activities WHERE votes LIKE '%@%'" })
  assert.ok((short.rowCount ?? 0) > 4, 'texts are kept apart')
  return postgresScan((statement) => lists.read(statement), { charactersMax })
}

async function pagesOf(scan: Scan): Promise<readonly (readonly ActivityRow[])[]> {
  const pages: (readonly ActivityRow[])[] = []
  for (let after: ScanKey | undefined; ; ) {
    const { rows, last } = await scan('activities', { limit: 100, after })
    if (last === undefined) return pages
    pages.push(rows)
    after = last
  }
}
