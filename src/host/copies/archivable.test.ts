import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { present } from '../../trusted/base/assert.ts'
import { withSqliteLoader } from '../store/sqlite/loader.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { aJudgedRecord } from '../store/testing/fixtures.ts'
import type { Store } from '../store/store.ts'
import { archivable } from './archivable.ts'

async function storeOf(t: TestContext, rows: readonly ActivityRow[]): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-archivable-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'data.db')
  await withSqliteLoader(path, ({ put }) => put('activities', rows))
  const store = openSqlite({ path })
  t.after(() => store.close())
  return store
}

test('a month is archived only where all of it is older than asked for, by the clock that is behind', async (t) => {
  const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-02']
  const rows = days.map((day, at) => ({ ...aJudgedRecord(at + 1), updatedAt: Date.parse(day) }))
  const store = await storeOf(t, rows)

  for (const now of ['2026-04-02', '2026-12-01']) {
    const asked = { now: Date.parse(now), olderThanDays: 31, paused: () => {} }
    const { months, monthOf } = await archivable(store, asked)
    assert.deepEqual([...months], [['2026-02', 1]])
    assert.deepEqual(rows.map(monthOf), ['2026-02', undefined, undefined, undefined])
  }
  const behind = { now: Date.parse('2026-03-31'), olderThanDays: 31, paused: () => {} }
  assert.equal((await archivable(store, behind)).months.size, 0)
})

test('a month has as many activities as may be archived: none that waits, and none that a job still names', async (t) => {
  const updatedAt = Date.parse('2026-02-28')
  const rows = [1, 2, 3, 4].map((n) => ({ ...aJudgedRecord(n), updatedAt }))
  const [waiting, told] = [present(rows[2], 'the third'), present(rows[3], 'the fourth')]
  const newest = { ...aJudgedRecord(5), updatedAt: Date.parse('2026-12-01') }
  const waits = { ...waiting, status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' } as const
  const store = await storeOf(t, [...rows.slice(0, 2), waits, told, newest])
  const { organizationId, activityId } = told
  await store.addWebhooks(
    [{ scope: organizationId, target: 'x', organizationId, activityId, revision: 1 }],
    1,
  )
  const asked = { now: newest.updatedAt, olderThanDays: 31, paused: () => {} }
  const { months, monthOf } = await archivable(store, asked)
  assert.deepEqual([...months], [['2026-02', 2]])
  assert.deepEqual([...rows.slice(0, 2), waits, told].map(monthOf), [
    '2026-02',
    '2026-02',
    undefined,
    undefined,
  ])
})
