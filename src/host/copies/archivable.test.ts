import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { withSqliteLoader } from '../store/sqlite/loader.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { aJudgedRecord } from '../store/testing/fixtures.ts'
import { archivable } from './archivable.ts'

test('a month is archived only where all of it is older than asked for, by the clock that is behind', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-archivable-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'data.db')
  const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-02']
  const rows = days.map((day, at) => ({ ...aJudgedRecord(at + 1), updatedAt: Date.parse(day) }))
  await withSqliteLoader(path, ({ put }) => put('activities', rows))
  const store = openSqlite({ path })
  t.after(() => store.close())

  for (const now of ['2026-04-02', '2026-12-01']) {
    const asked = { now: Date.parse(now), olderThanDays: 31, paused: () => {} }
    const { months, monthOf } = await archivable(store, asked)
    assert.deepEqual([...months], [['2026-02', 1]])
    assert.deepEqual(rows.map(monthOf), ['2026-02', undefined, undefined, undefined])
  }
  const behind = { now: Date.parse('2026-03-31'), olderThanDays: 31, paused: () => {} }
  assert.equal((await archivable(store, behind)).months.size, 0)
})
