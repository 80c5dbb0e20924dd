import assert from 'node:assert/strict'
import { type NewSeal, SEALED_TABLES } from '../resealing.ts'
import { keyOfRow } from '../scan.ts'
import type { Store, TextKey } from '../store.ts'
import { COMMITTED, type Promised } from './conformance-promise.ts'
import {
  aCharter,
  aJob,
  aJudgedRecord,
  anAmendment,
  anEntry,
  anObject,
  aRecord,
  aRequest,
  aUnit,
} from './fixtures.ts'

/** The promises of `Store` about new seals for rows, and about replaced notes. */
export function resealPromises(promise: Promised): void {
  promise(
    'a row gets a new seal where it has the one that is to be replaced, and nothing else changes',
    async (store) => {
      await fill(store)
      const before = await sealed(store)
      assert.equal(before.length, 5)
      const seals = before.map(({ table, key, row }) => ({
        table,
        key,
        from: row.seal,
        to: `anew ${row.seal}`,
      }))
      const stale = { ...only(seals, 'charters'), from: 'another', to: 'wrong' }
      const gone = { ...only(seals, 'objects'), key: ['org', 'privateKey', 'gone'], to: 'wrong' }

      assert.equal(await store.reseal([stale, gone, ...seals]), 5)

      assert.deepEqual(
        await sealed(store),
        before.map((found) => ({ ...found, row: { ...found.row, seal: `anew ${found.row.seal}` } })),
      )
      assert.equal(await store.reseal(seals), 0)
      assert.equal(await store.reseal([]), 0)
    },
  )

  promise('an amendment that comes between keeps its own seal', async (store) => {
    await fill(store)
    const [charter] = (await store.scan('charters', { limit: 1 })).rows
    assert.ok(charter !== undefined)
    const amended = { ...aCharter('org', 2), seal: 'of version 2' }
    assert.deepEqual(await store.commit(anAmendment(amended)), COMMITTED)
    const late: NewSeal = { table: 'charters', key: ['org'], from: charter.seal, to: 'late' }

    assert.equal(await store.reseal([late]), 0)
    assert.deepEqual(await store.charter('org'), amended)
  })

  promise('a key that is none of the table is a bug, and writes nothing', async (store) => {
    await fill(store)
    await assert.rejects(store.reseal([{ table: 'objects', key: ['org'], from: 'a', to: 'b' }]), /whole key/)
    await assert.rejects(
      store.reseal([{ table: 'charters', key: ['org'], from: '\0', to: 'b' }]),
      /plain text/,
    )
  })

  promise('an activity is removed where it has this seal, and nothing else is', async (store, again) => {
    await fill(store)
    const [row] = (await store.scan('activities', { limit: 1 })).rows
    assert.ok(row !== undefined)
    const kept = aRequest(77)
    assert.deepEqual(await store.commit(aRecord(kept)), COMMITTED)
    const { organizationId, activityId, seal } = row
    const gone = { organizationId, activityId: aRequest(78).activityId, seal }

    assert.equal(await store.removeActivities([{ ...row, seal: 'of a later revision' }, gone]), 0)
    assert.deepEqual(await store.activity(organizationId, activityId), row)
    assert.equal(await store.removeActivities([row, row]), 1)
    assert.equal(await store.removeActivities([row]), 0)

    assert.equal(await store.activity(organizationId, activityId), undefined)
    assert.equal(await store.activityOfRequest(row), undefined)
    await store.close()
    const { rows } = await (await again()).scan('activities', { limit: 10 })
    assert.deepEqual(rows, [kept])
  })

  promise('the rest of an organization is removed a few rows of each kind at a time', async (store) => {
    await fill(store)
    const ids = ['b', 'c']
    const rest = (organizationId: string) =>
      aUnit({
        objects: { put: ids.map((id) => anObject(id, { organizationId })), remove: [] },
        claims: { put: ids.map((id) => anEntry(id, 'user', { scope: organizationId })), remove: [] },
        directory: { put: ids.map((id) => anEntry(id, 'user', { scope: organizationId })), remove: [] },
      })
    for (const id of ['org', 'other']) assert.deepEqual(await store.commit(rest(id)), COMMITTED)

    // Four objects, two claims and two entries.
    assert.deepEqual([await store.eraseRest('org', 3), await store.eraseRest('org', 3)], [7, 1])
    assert.equal(await store.eraseRest('org', 3), 0)

    for (const table of ['objects', 'claims', 'directory'] as const)
      assert.equal((await store.scan(table, { limit: 10 })).rows.length, ids.length, table)
    assert.deepEqual(await store.charter('org'), aCharter('org', 1))
    assert.deepEqual(await store.activity('org', aRequest(7).activityId), aRequest(7))
    assert.equal((await store.scan('jobs', { limit: 10 })).rows.length, 1)
    assert.equal(await store.eraseRest('other', 3), 6)
  })

  promise(
    'of the texts that records share, a user’s own alone are erased, and no named one',
    async (store) => {
      const rows = [1, 2, 3].map((n) => aJudgedRecord(n))
      for (const row of rows) assert.deepEqual(await store.commit(aRecord(row)), COMMITTED)
      // As the vault has written it.
      const votes = JSON.parse(rows[0]?.votes ?? '') as readonly { readonly userId: string }[]
      const [ada, ben] = votes.map(({ userId }) => userId)
      assert.ok(ada !== undefined && ben !== undefined)

      const all = await textsSearched(store, 'nobody', [])
      assert.deepEqual(all.erased, [])
      assert.deepEqual((await textsSearched(store, ada, all.kept)).kept, all.kept)
      const { erased, kept } = await textsSearched(store, ada, [])
      assert.equal(erased.length, 1)
      assert.deepEqual(await textsSearched(store, ada, []), { erased: [], kept })
      assert.equal((await textsSearched(store, ben, [])).erased.length, 1)
    },
  )

  promise('a note is replaced where it says what is expected', async (store) => {
    assert.equal(await store.replaceNote('one', 'a', 'b'), false)
    assert.equal(await store.replaceNote('one', null, 'a'), true)
    assert.equal(await store.replaceNote('one', null, 'b'), false)
    assert.equal(await store.replaceNote('one', 'x', 'b'), false)
    assert.equal(await store.note('one'), 'a')
    assert.equal(await store.replaceNote('one', 'a', 'b'), true)
    assert.equal(await store.replaceNote('one', 'a', null), false)
    assert.equal(await store.note('one'), 'b')
    assert.equal(await store.replaceNote('one', 'b', null), true)
    assert.equal(await store.note('one'), undefined)
  })
}

async function fill(store: Store): Promise<void> {
  const activity = { row: aRequest(7), replaces: null, audience: [] }
  const unit = anAmendment(aCharter('org', 1), {
    activity,
    objects: { put: [anObject('a'), anObject('ü 🗝')], remove: [] },
    jobs: [aJob('mail')],
  })
  assert.deepEqual(await store.commit(unit), COMMITTED)
}

/** The digests of all shared texts, a page for each. */
async function textsSearched(
  store: Store,
  userId: string,
  named: readonly string[],
): Promise<{ readonly erased: readonly string[]; readonly kept: readonly string[] }> {
  const found: { readonly erased: string[]; readonly kept: string[] } = { erased: [], kept: [] }
  for (let after: TextKey | undefined; ; ) {
    const { erased, last } = await store.eraseSnapshots(userId, named, { limit: 1, ...(after && { after }) })
    if (last === undefined) return found
    const { digest } = last
    assert.ok(![...found.erased, ...found.kept].includes(digest), 'a text is on one page')
    found[erased === 1 ? 'erased' : 'kept'].push(digest)
    after = last
  }
}

async function sealed(store: Store) {
  const found = []
  for (const table of SEALED_TABLES)
    for (const row of (await store.scan(table, { limit: 100 })).rows) {
      const { seal } = row
      assert.ok(seal !== null)
      found.push({ table, key: keyOfRow(table, row), row: { ...row, seal } })
    }
  return found
}

function only(seals: readonly NewSeal[], table: NewSeal['table']): NewSeal {
  const found = seals.find((seal) => seal.table === table)
  assert.ok(found !== undefined)
  return found
}
