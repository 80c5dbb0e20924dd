import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { openEmbeddedStore } from './embedded-store.ts'
import { errorOf, plainError, putRecord, recordsIn } from './embedded-messages.ts'
import { isStoreOutage } from './outage.ts'
import { openSqlite } from './sqlite.ts'
import { StoreError } from './store-error.ts'
import { storePromises } from './testing/conformance.ts'
import { storeAgreesWithModel } from './testing/conformance-model.ts'
import type { OpenAgain } from './testing/conformance-promise.ts'
import {
  aCharter,
  anActivity,
  anAmendment,
  aRecord,
  aRequest,
  aSignature,
  aUnit,
} from './testing/fixtures.ts'

const fresh = async (t: TestContext) => openIn(t, aFolder(t))
storePromises('embedded', fresh)
storeAgreesWithModel('embedded', { fresh, runs: 20 })

test('the thread that holds the data holds up no other: while it commits, this one goes on', async (t) => {
  const store = await openIn(t, aFolder(t))()
  const order: string[] = []
  const commits = Array.from({ length: 2_000 }, (_, n) => store.commit(aRecord(aSignature(n))))
  const all = Promise.all(commits).then(() => order.push('committed'))
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  order.push('three turns')
  await all
  assert.deepEqual(order, ['three turns', 'committed'])
})

test('a record goes to the thread and comes out as it was, and no other unit goes that way', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const plain = { noNullPrototype: true }
  const guard = fc.record({ organizationId: text, version: fc.nat() }, plain)
  const activity = fc.record({
    row: fc.record({
      intent: text,
      votes: text,
      result: fc.option(text),
      failure: fc.option(text),
      timestampMs: fc.nat(),
    }),
    audience: fc.array(text, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(
      fc.array(fc.record({ guards: fc.array(guard, { maxLength: 3 }), activity }), { maxLength: 4 }),
      (given) => {
        const units = given.map(({ guards, activity: { row, audience } }) =>
          aUnit({ guards, activity: { row: anActivity(row), replaces: null, audience } }),
        )
        const records: (string | number | null)[] = []
        units.forEach((unit, at) => assert.ok(putRecord(records, at + 1, unit)))
        assert.deepEqual(
          [...recordsIn(records)],
          units.map((unit, at) => [at + 1, unit]),
        )
      },
    ),
  )
  assert.equal(putRecord([], 1, anAmendment(aCharter('org', 1))), false)
  const replaced = aUnit({ activity: { row: anActivity(), replaces: 1, audience: [] } })
  assert.equal(putRecord([], 1, replaced), false)
})

test('an error of the thread tells what it told there: its kind, and whether it is an outage', () => {
  const here = (error: unknown) => errorOf(structuredClone(plainError(error)))
  for (const kind of ['inUse', 'foreign', 'notDurable', 'unavailable', 'altered', 'closed'] as const) {
    const error = here(new StoreError(kind, 'said'))
    assert.ok(error instanceof StoreError)
    assert.deepEqual([error.kind, error.message], [kind, 'said'])
  }
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  assert.equal(isStoreOutage(here(full)), true)
  assert.equal(isStoreOutage(here(new Error('a bug'))), false)
  assert.equal(here('no error').message, 'no error')
})

test('data that is in use, or no data of ours, is refused with its reason', async (t) => {
  const folder = aFolder(t)
  const path = join(folder, 'data.db')
  const held = openSqlite({ path })
  await assert.rejects(openEmbeddedStore({ path, lockWaitMs: 0 }), { name: 'StoreError', kind: 'inUse' })
  await held.close()
  const other = join(folder, 'other')
  writeFileSync(other, 'no database, but long enough to have a header of one, were it one: '.repeat(200))
  await assert.rejects(openEmbeddedStore({ path: other }), { name: 'StoreError', kind: 'foreign' })
})

test('closing settles what was taken, lets go of the file, and takes nothing more', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const store = await openEmbeddedStore({ path })
  const taken = store.commit(aRecord(aRequest(1)))
  const closed = store.close()
  await assert.rejects(store.commit(aRecord(aRequest(2))), { name: 'StoreError', kind: 'closed' })
  assert.deepEqual(await taken, { kind: 'committed' })
  await closed
  await store.close()
  const again = openSqlite({ path, lockWaitMs: 0 })
  assert.deepEqual(await again.activityOfRequest(aRequest(1)), aRequest(1))
  assert.equal(await again.activityOfRequest(aRequest(2)), undefined)
  await again.close()
  assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false }), undefined)
})

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function openIn(t: TestContext, folder: string): OpenAgain {
  return async () => {
    const store = await openEmbeddedStore({ path: join(folder, 'data.db') })
    t.after(() => store.close())
    return store
  }
}
