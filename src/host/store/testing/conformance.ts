import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { DirectoryEntry, Unit } from '../../../trusted/catalogue/unit.ts'
import { CHARTERS_CHARACTERS_MAX } from '../charters-at-once.ts'
import { ENTRY_BYTES_MAX } from '../check-unit.ts'
import { jobPromises } from './conformance-jobs.ts'
import { guardPromises } from './conformance-guards.ts'
import { quotaPromises } from './conformance-quotas.ts'
import { resealPromises } from './conformance-reseal.ts'
import { scanPromises } from './conformance-scan.ts'
import { COMMITTED, conflict, count, type OpenAgain, type Promised } from './conformance-promise.ts'
import {
  aCharter,
  anActivity,
  anAmendment,
  anEntry,
  anId,
  anObject,
  aRecord,
  aRequest,
  aSignature,
  aUnit,
  holderOf,
} from './fixtures.ts'
import { STATUSES, subsets, TYPES } from './listing-filters.ts'
import { memoryModel } from './memory-model.ts'
import type { Page, Store } from '../store.ts'

/** Every promise of `Store`, as tests that both engines pass. `fresh` makes empty data for one test. */
export function storePromises(engine: string, fresh: (t: TestContext) => Promise<OpenAgain>): void {
  const promise: Promised = (name, body) => {
    test(`${engine}: ${name}`, async (t) => {
      const open = await fresh(t)
      await body(await open(), open, t)
    })
  }
  guardPromises(promise)
  jobPromises(promise)
  scanPromises(promise)
  resealPromises(promise)
  quotaPromises(promise)

  promise('what a unit changes is read as it was put', async (store) => {
    const row = anActivity({
      result: null,
      failure: '{"message":"\\\\ \\" {null} \' ü 🗝 NULL"}',
      votes: '["a,b",\n"{\\"c\\"}"]',
      timestampMs: Number.MAX_SAFE_INTEGER,
      seal: '',
      intent: 'NULL',
    })
    const charter = aCharter('org', 1, `{"name":"${'long ü '.repeat(20_000)}"}`)
    const object = anObject('key', { body: '{"a":"{1,2}"}' })
    const unit = anAmendment(charter, {
      activity: { row, replaces: null, audience: [] },
      objects: { put: [object], remove: [] },
      claims: { put: [anEntry('NULL', 'user')], remove: [] },
      directory: { put: [anEntry('{"x"}', 'user')], remove: [] },
    })

    assert.deepEqual(await store.commit(unit), COMMITTED)

    assert.deepEqual(await store.charter('org'), charter)
    assert.deepEqual(await store.activity('org', row.activityId), row)
    assert.deepEqual(await store.activityOfRequest(row), row)
    assert.deepEqual(await store.activities('org', {}, { limit: 10 }), [row])
    assert.deepEqual(await store.objects('org', 'privateKey', ['key']), [object])
    assert.equal(await holderOf(store, 'org', 'name', 'NULL'), 'user')
    assert.deepEqual(await store.find(anEntry('{"x"}', ''), { limit: 10 }), ['user'])
  })

  promise('it is counted how many units there were, and how many of them shared a commit', async (store) => {
    const before = store.load().commits
    assert.deepEqual(await store.commit(anAmendment(aCharter('org', 1))), COMMITTED)
    // As signatures of a sub-organization are, with an audit stream.
    const guards = ['org', 'sub'].map((id) => ({ organizationId: id, version: id === 'org' ? 1 : 0 }))
    const signatures = Array.from({ length: 20 }, (_, at) =>
      aRecord(aRequest(at), guards, ['sub', 'org', 'audit']),
    )
    await Promise.all(signatures.map(store.commit))
    const { commits, pools } = store.load()
    assert.equal(commits.units - before.units, 21)
    assert.equal(commits.batches - before.batches, 2)
    for (const { waiting } of pools) assert.equal(waiting, 0)
    assert.deepEqual(
      pools.map(({ pool }) => pool),
      store.engine === 'postgres' ? ['units', 'records', 'lists', 'vital'] : [],
    )
  })

  promise('what is not there is answered with nothing', async (store) => {
    assert.equal(await store.charter('org'), undefined)
    assert.equal(await store.activity('org', 'id'), undefined)
    assert.equal(await store.activityOfRequest(anActivity()), undefined)
    assert.equal(await store.awaitedActivity('org', 'sha256:'), undefined)
    assert.deepEqual(await store.activities('org', {}, { limit: 10 }), [])
    assert.deepEqual(await store.objects('org', 'privateKey', ['key']), [])
    assert.deepEqual(await store.objects('org', 'privateKey', []), [])
    assert.deepEqual(await store.objectsOfKind('org', 'privateKey', { limit: 10 }), [])
    assert.equal(await holderOf(store, 'org', 'name', 'value'), undefined)
    assert.deepEqual(await store.find(anEntry('value', ''), { limit: 10 }), [])
    assert.equal(await store.note('name'), undefined)
  })

  promise('a text with U+0000, which PostgreSQL keeps in no column, is found nowhere', async (store) => {
    await store.commit(
      anAmendment(aCharter('org', 1), {
        activity: { row: anActivity(), replaces: null, audience: [] },
        objects: { put: [anObject('key')], remove: [] },
      }),
    )
    const { type } = anActivity()
    assert.equal(await store.awaitedActivity('org', 'sha256:\0'), undefined)
    assert.deepEqual(await store.activities('org', { types: ['a\0'] }, { limit: 10 }), [])
    assert.deepEqual(await store.activities('org', { types: ['a\0', type] }, { limit: 10 }), [anActivity()])
    assert.deepEqual(await store.objects('org', 'privateKey', ['a\0', 'key']), [anObject('key')])
    assert.equal(await holderOf(store, 'org', 'name', 'a\0'), undefined)
    assert.deepEqual(await store.find(anEntry('a\0', ''), { limit: 10 }), [])
    const { scope, kind } = anEntry('', '')
    assert.deepEqual(await store.findPrefix({ scope, kind, prefix: 'a\0' }, { limit: 10 }), [])
    const after = { value: 'a\0', target: '' }
    assert.deepEqual(await store.findPrefix({ scope, kind, prefix: 'a' }, { limit: 10, after }), [])
  })

  promise('charters are read together in the order asked for', async (store) => {
    for (const id of ['a', 'b', 'c']) await store.commit(anAmendment(aCharter(id, 1)))
    const read = await store.charters(['c', 'none', 'a', 'c'])
    assert.deepEqual(read, [aCharter('c', 1), aCharter('a', 1), aCharter('c', 1)])
    assert.deepEqual(await store.charters([]), [])
  })

  promise('long charters are read a few at a time, and one always', async (store) => {
    const half = 'x'.repeat(CHARTERS_CHARACTERS_MAX / 2)
    for (const id of ['a', 'b', 'c']) await store.commit(anAmendment(aCharter(id, 1, half)))
    await store.commit(anAmendment(aCharter('d', 1, `${half}${half}`)))
    const idsRead = async (...ids: string[]): Promise<readonly string[]> =>
      (await store.charters(ids)).map(({ organizationId }) => organizationId)
    assert.deepEqual(await idsRead('c', 'a', 'b'), ['c', 'a'])
    assert.deepEqual(await idsRead('a', 'none'), ['a'])
    assert.deepEqual(await idsRead('d', 'a'), ['d'])
    assert.deepEqual(await idsRead('a', 'd', 'b'), ['a', 'd'])
  })

  promise('a unit whose guard no longer holds writes nothing', async (store) => {
    await store.commit(anAmendment(aCharter('org', 1)))
    const effects = {
      activity: { row: aRequest(1), replaces: null, audience: [] },
      objects: { put: [anObject('key')], remove: [] },
      claims: { put: [anEntry('name', 'user')], remove: [] },
      directory: { put: [anEntry('name', 'user')], remove: [] },
    }
    const stale = [
      anAmendment(aCharter('org', 1), effects),
      anAmendment(aCharter('org', 3), effects),
      anAmendment(aCharter('other', 2), effects),
      aUnit({ ...effects, guards: [{ organizationId: 'org', version: 0 }] }),
      anAmendment(aCharter('other', 1), {
        ...effects,
        guards: [
          { organizationId: 'other', version: 0 },
          { organizationId: 'org', version: 2 },
        ],
      }),
      anAmendment(aCharter('org', 2), {
        ...effects,
        guards: [
          { organizationId: 'org', version: 1 },
          { organizationId: 'org', version: 2 },
        ],
      }),
      aRecord(aRequest(1), [{ organizationId: 'org', version: 2 }]),
      aRecord(aRequest(1), [{ organizationId: 'org', version: 0 }]),
      aRecord(aRequest(1), [
        { organizationId: 'org', version: 1 },
        { organizationId: 'parent', version: 1 },
      ]),
      aRecord(aRequest(1), [
        { organizationId: 'org', version: 1 },
        { organizationId: 'org', version: 2 },
        { organizationId: 'org', version: 1 },
      ]),
      aRecord(aRequest(1), [
        { organizationId: 'org', version: 1 },
        { organizationId: 'none', version: 0 },
        { organizationId: 'org', version: 2 },
      ]),
    ]

    for (const unit of stale) assert.deepEqual(await store.commit(unit), conflict('guard'))

    assert.deepEqual(await store.charter('org'), aCharter('org', 1))
    assert.equal(await store.charter('other'), undefined)
    assert.deepEqual(await store.activities('org', {}, { limit: 10 }), [])
    assert.deepEqual(await store.objects('org', 'privateKey', ['key']), [])
    assert.equal(await holderOf(store, 'org', 'name', 'name'), undefined)
    assert.deepEqual(await store.find(anEntry('name', ''), { limit: 10 }), [])
  })

  promise('a record is written when all its guards hold', async (store) => {
    await store.commit(anAmendment(aCharter('org', 1)))
    await store.commit(anAmendment(aCharter('parent', 1)))
    const org = { organizationId: 'org', version: 1 }
    const parent = { organizationId: 'parent', version: 1 }
    const none = { organizationId: 'none', version: 0 }

    const guards = [[], [org], [org, parent], [none], [org, none], [org, parent, none], [org, org]]
    const results = await Promise.all(guards.map((list, n) => store.commit(aRecord(aRequest(n), list))))

    assert.deepEqual(
      results,
      guards.map(() => COMMITTED),
    )
  })

  promise('the same request is recorded once', async (store) => {
    await store.commit(aRecord(aRequest(1)))

    const again = aRecord(aRequest(1, { activityId: anId(2) }))
    assert.deepEqual(await store.commit(again), conflict('fingerprint'))
    const unchanged = aRecord(aRequest(1))
    assert.deepEqual(await store.commit(unchanged), conflict('fingerprint'))
    const elsewhere = aRecord(aRequest(1, { organizationId: 'other' }))
    assert.deepEqual(await store.commit(elsewhere), COMMITTED)
    const later = aRecord(aRequest(1, { activityId: anId(3), timestampMs: 5 }))
    assert.deepEqual(await store.commit(later), COMMITTED)
    assert.equal((await store.activityOfRequest(aRequest(1)))?.activityId, anId(1))
  })

  promise('an activity id is not given twice', async (store) => {
    await store.commit(aRecord(aRequest(1)))
    assert.deepEqual(await store.commit(aRecord(aRequest(2, { activityId: anId(1) }))), conflict('revision'))
    assert.equal(await store.activityOfRequest(aRequest(2)), undefined)
    // The same bytes elsewhere, or at another time, are another request.
    await store.commit(aRecord(aRequest(3, { organizationId: 'other' })))
    const taken = [aRequest(3, { activityId: anId(1) }), aRequest(1, { timestampMs: 5 })]
    for (const row of taken) assert.deepEqual(await store.commit(aRecord(row)), conflict('revision'))
  })

  promise('a vote replaces the revision it names and no other', async (store) => {
    const waiting = aRequest(1, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', awaited: 1, result: null })
    const settled = { ...waiting, revision: 1, status: 'ACTIVITY_STATUS_COMPLETED', result: '{}' } as const
    await store.commit(aRecord(waiting))

    assert.deepEqual(
      await store.commit(aUnit({ activity: { row: settled, replaces: 0, audience: [] } })),
      COMMITTED,
    )
    const second = { ...waiting, revision: 1, status: 'ACTIVITY_STATUS_REJECTED' } as const
    assert.deepEqual(
      await store.commit(aUnit({ activity: { row: second, replaces: 0, audience: [] } })),
      conflict('revision'),
    )
    const absent = aUnit({ activity: { row: aRequest(2, { revision: 1 }), replaces: 0, audience: [] } })
    assert.deepEqual(await store.commit(absent), conflict('revision'))

    assert.deepEqual(await store.activity('org', waiting.activityId), settled)
    assert.deepEqual(await store.awaitedActivity('org', waiting.fingerprint), settled)
  })

  promise('a vote cannot turn an activity into a request that is there already', async (store) => {
    await store.commit(aRecord(aRequest(1)))
    await store.commit(aRecord(aRequest(2)))
    const row = aRequest(2, { activityId: anId(1), revision: 1 })
    assert.deepEqual(
      await store.commit(aUnit({ activity: { row, replaces: 0, audience: [] } })),
      conflict('fingerprint'),
    )
    assert.deepEqual(await store.activity('org', anId(1)), aRequest(1))
  })

  promise('only activities that have waited are found by fingerprint alone', async (store) => {
    await store.commit(aRecord(aRequest(1)))
    await store.commit(aRecord(aRequest(2, { awaited: 1 })))
    assert.equal(await store.awaitedActivity('org', aRequest(1).fingerprint), undefined)
    assert.equal((await store.awaitedActivity('org', aRequest(2).fingerprint))?.activityId, anId(2))
    assert.equal(await store.awaitedActivity('other', aRequest(2).fingerprint), undefined)
    const { fingerprint } = aRequest(2)
    await store.commit(aRecord(aRequest(3, { awaited: 1, fingerprint })))
    assert.equal((await store.awaitedActivity('org', fingerprint))?.activityId, anId(3))
  })

  promise('a name is held by one target', async (store) => {
    await store.commit(claiming(anEntry('alice', 'user-1')))

    assert.deepEqual(await store.commit(claiming(anEntry('alice', 'user-1'))), COMMITTED)
    assert.deepEqual(await store.commit(claiming(anEntry('alice', 'user-2'))), conflict('claim'))
    const elsewhere = claiming(
      anEntry('alice', 'user-2', { scope: 'other' }),
      anEntry('alice', 'user-2', { kind: 'email' }),
    )
    assert.deepEqual(await store.commit(elsewhere), COMMITTED)
    const twice = claiming(anEntry('bob', 'user-1'), anEntry('bob', 'user-2'))
    assert.deepEqual(await store.commit(twice), conflict('claim'))
    const same = claiming(anEntry('carol', 'user-1'), anEntry('carol', 'user-1'))
    assert.deepEqual(await store.commit(same), COMMITTED)

    assert.equal(await holderOf(store, 'org', 'name', 'alice'), 'user-1')
    assert.equal(await holderOf(store, 'other', 'name', 'alice'), 'user-2')
    assert.equal(await holderOf(store, 'org', 'name', 'bob'), undefined)
  })

  promise('of many names those that are claimed are found, in the order of the question', async (store) => {
    const many = Array.from({ length: 500 }, (_, at) => anEntry(`name ${at}`, `user ${at}`))
    const elsewhere = [anEntry('name 1', 'b', { scope: 'other' }), anEntry('name 1', 'c', { kind: 'email' })]
    await store.commit(claiming(...many, ...elsewhere))
    const asked = [...elsewhere, anEntry('nobody', ''), anEntry('name\0', ''), ...many.toReversed()]

    const found = await store.claimed(asked.map(({ scope, kind, value }) => ({ scope, kind, value })))
    assert.deepEqual(found, [...elsewhere, ...many.toReversed()])
    assert.deepEqual(await store.claimed([]), [])
  })

  promise('a name is freed by its holder alone, and may change hands in one unit', async (store) => {
    await store.commit(claiming(anEntry('alice', 'user-1')))
    const freeing = (target: string, ...put: readonly DirectoryEntry[]) =>
      aUnit({ claims: { put, remove: [anEntry('alice', target)] } })

    assert.deepEqual(await store.commit(freeing('user-2')), COMMITTED)
    assert.equal(await holderOf(store, 'org', 'name', 'alice'), 'user-1')
    assert.deepEqual(await store.commit(freeing('user-1', anEntry('alice', 'user-2'))), COMMITTED)
    assert.equal(await holderOf(store, 'org', 'name', 'alice'), 'user-2')
    assert.deepEqual(await store.commit(freeing('user-2')), COMMITTED)
    assert.equal(await holderOf(store, 'org', 'name', 'alice'), undefined)
  })

  promise('of several conflicts the guard is told first, then the request, then the name', async (store) => {
    await store.commit(
      anAmendment(aCharter('org', 1), { activity: { row: aRequest(1), replaces: null, audience: [] } }),
    )
    await store.commit(claiming(anEntry('alice', 'user-1')))
    const parts = {
      activity: { row: aRequest(1, { activityId: anId(2) }), replaces: null, audience: [] },
      claims: { put: [anEntry('alice', 'user-2')], remove: [] },
    }
    const guards = [{ organizationId: 'org', version: 1 }]

    assert.deepEqual(await store.commit(anAmendment(aCharter('org', 1), parts)), conflict('guard'))
    assert.deepEqual(await store.commit(aUnit({ ...parts, guards })), conflict('fingerprint'))
    const activity = { row: aRequest(2), replaces: null, audience: [] }
    assert.deepEqual(await store.commit(aUnit({ ...parts, guards, activity })), conflict('claim'))
    assert.deepEqual(
      await store.commit(anAmendment(aCharter('org', 2), { ...parts, activity })),
      conflict('claim'),
    )
    assert.equal((await store.charter('org'))?.version, 1)
    assert.equal(await store.activity('org', anId(2)), undefined)
  })

  promise('objects are put, replaced and removed; removing what is not there is fine', async (store) => {
    const put = (...objects: ReturnType<typeof anObject>[]) =>
      aUnit({ objects: { put: objects, remove: [] } })
    await store.commit(put(anObject('a'), anObject('b'), anObject('a', { organizationId: 'other' })))
    await store.commit(put(anObject('a', { body: '{"new":1}', seal: 'new' })))
    await store.commit(
      aUnit({ objects: { put: [anObject('d')], remove: [anObject('b'), anObject('c'), anObject('d')] } }),
    )

    const found = await store.objects('org', 'privateKey', ['d', 'c', 'b', 'a'])
    assert.deepEqual(found, [anObject('d'), anObject('a', { body: '{"new":1}', seal: 'new' })])
    assert.deepEqual(await store.objects('org', 'wallet', ['a']), [])
  })

  promise('objects of a kind come in order of id, page by page', async (store) => {
    const ids = Array.from({ length: 25 }, (_, n) => anId(n))
    const put = [
      ...ids.map((id) => anObject(id)),
      anObject('x', { kind: 'wallet' }),
      anObject('y', { organizationId: 'o' }),
    ]
    await store.commit(aUnit({ objects: { put, remove: [] } }))
    const seen: string[] = []
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const page = await store.objectsOfKind('org', 'privateKey', { limit: 10, ...(after && { after }) })
      if (page.length === 0) break
      seen.push(...page.map((object) => object.objectId))
    }
    assert.deepEqual(seen, ids)
  })

  promise(
    'a value of the directory leads to all its targets, in order of their bytes, both ways',
    async (store) => {
      const targets = ['A', 'Z', 'a', 'b', 'c', 'ä', '\uffee', '🗝']
      const put = [...targets].reverse().map((target) => anEntry('x', target))
      await store.commit(aUnit({ directory: { put: [...put, ...put, anEntry('y', 'q')], remove: [] } }))
      await store.commit(
        aUnit({ directory: { put: [anEntry('x', 'A')], remove: [anEntry('x', 'c'), anEntry('x', 'no')] } }),
      )
      const find = (page: Page) => store.find(anEntry('x', ''), page)

      assert.deepEqual(await find({ limit: 100 }), ['A', 'Z', 'a', 'b', 'ä', '\uffee', '🗝'])
      assert.deepEqual(await find({ limit: 2 }), ['A', 'Z'])
      assert.deepEqual(await find({ limit: 2, after: 'Z' }), ['a', 'b'])
      assert.deepEqual(await find({ limit: 2, before: 'ä' }), ['a', 'b'])
      assert.deepEqual(await find({ limit: 2, after: 'A', before: 'ä' }), ['Z', 'a'])
      assert.deepEqual(await find({ limit: 9, after: 'A', before: 'ä' }), ['Z', 'a', 'b'])
      assert.deepEqual(await find({ limit: 9, after: '\uffee' }), ['🗝'])
    },
  )

  promise('entries are found by how their value begins, in order of bytes, page by page', async (store) => {
    const last = String.fromCodePoint(0x10ffff)
    const values = ['', 'A', 'a', 'ab', 'abc', 'ac', 'a\ud7ff', 'a\ue000', `a${last}`, `a${last}b`, 'b', last]
    const put = values.flatMap((value) => ['t2', 't1'].map((target) => anEntry(value, target)))
    const elsewhere = [
      { ...anEntry('abx', 't'), scope: 'elsewhere' },
      { ...anEntry('abx', 't'), kind: 'other' },
    ]
    await store.commit(aUnit({ directory: { put: [...put, ...elsewhere], remove: [] } }))
    const { scope, kind } = anEntry('', '')
    const found = async (prefix: string, page: Parameters<Store['findPrefix']>[1] = { limit: 99 }) =>
      (await store.findPrefix({ scope, kind, prefix }, page)).map(({ value, target }) => `${value} ${target}`)
    const both = (...texts: readonly string[]) => texts.flatMap((text) => [`${text} t1`, `${text} t2`])

    assert.deepEqual(await found('ab'), both('ab', 'abc'))
    assert.deepEqual(await found('a'), both(...values.slice(2, 10)))
    assert.deepEqual(await found('a\ud7ff'), both('a\ud7ff'))
    assert.deepEqual(await found(`a${last}`), both(`a${last}`, `a${last}b`))
    assert.deepEqual(await found(''), both(...values))
    assert.deepEqual(await found('c'), [])
    assert.deepEqual(await found('ab', { limit: 1 }), ['ab t1'])
    assert.deepEqual(await found('ab', { limit: 2, after: { value: 'ab', target: 't1' } }), [
      'ab t2',
      'abc t1',
    ])
  })

  promise('the revisions of the newest activities are told, and of those that are named', async (store) => {
    const rows = [3, 1, 2].map((n) => aRequest(n, { revision: n }))
    await Promise.all(
      [...rows, aRequest(9, { organizationId: 'other' })].map((row) => store.commit(aRecord(row))),
    )
    const byId = (found: Awaited<ReturnType<Store['newestRevisions']>>) =>
      found.toSorted((a, b) => (a.activityId < b.activityId ? -1 : 1))
    const told = (n: number) => ({ activityId: anId(n), revision: n })
    assert.deepEqual(byId(await store.newestRevisions('org', 2)), [told(2), told(3)])
    assert.deepEqual(byId(await store.revisionsOf('org', [anId(1), anId(9), anId(3)])), [told(1), told(3)])
    assert.deepEqual(await store.revisionsOf('org', []), [])
    assert.deepEqual(await store.newestRevisions('none', 5), [])
  })

  promise('objects of a kind are read from the newest on, page by page', async (store) => {
    const ids = Array.from({ length: 40 }, (_, n) => `k${String(n).padStart(2, '0')}`)
    await store.commit(aUnit({ objects: { put: ids.map((objectId) => anObject(objectId)), remove: [] } }))
    const { kind } = anObject('k')
    const read = async (page: { readonly limit: number; readonly before?: string }) =>
      (await store.newestOfKind('org', kind, page)).map(({ objectId }) => objectId)
    assert.deepEqual(await read({ limit: 30 }), ids.toReversed().slice(0, 30))
    assert.deepEqual(await read({ limit: 30, before: 'k10' }), ids.slice(0, 10).toReversed())
    assert.deepEqual(await read({ limit: 1, before: 'k00' }), [])
  })

  promise('activities are listed newest first, page by page, under every filter', async (store) => {
    const model = memoryModel()
    const units = Array.from({ length: 60 }, (_, n) =>
      aRecord(aRequest(n, { status: pick(STATUSES, n), type: pick(TYPES, Math.floor(n / 3)) })),
    )
    units.push(aRecord(aRequest(1_000, { organizationId: 'other' })))
    await Promise.all(units.map(store.commit))
    units.map(model.commit)

    const pages: Page[] = [
      { limit: 100 },
      { limit: 3 },
      { limit: 3, after: anId(30) },
      { limit: 3, before: anId(30) },
      { limit: 100, before: anId(30) },
      { limit: 4, before: anId(10), after: anId(40) },
      { limit: 3, after: anId(0) },
      { limit: 3, before: anId(59) },
    ]
    for (const statuses of subsets(STATUSES))
      for (const types of subsets(TYPES))
        for (const page of pages) {
          const filter = { ...(statuses && { statuses }), ...(types && { types }) }
          const listed = await store.activities('org', filter, page)
          assert.deepEqual(listed, model.activities('org', filter, page), JSON.stringify({ filter, page }))
        }
  })

  promise('units that conflict do not disturb those they share a commit with', async (store) => {
    await store.commit(anAmendment(aCharter('org', 1)))
    const guards = [{ organizationId: 'org', version: 1 }]
    const stale = [{ organizationId: 'org', version: 7 }]
    const units = Array.from({ length: 90 }, (_, n) => {
      if (n % 9 === 3) return aRecord(aRequest(n), stale)
      if (n % 9 === 5) return aUnit({ guards: stale, claims: { put: [anEntry(`n${n}`, 'u')], remove: [] } })
      if (n % 9 === 7) return aUnit({ guards, claims: { put: [anEntry(`n${n}`, 'u')], remove: [] } })
      return aRecord(aRequest(n), guards)
    })

    const results = await Promise.all(units.map(store.commit))

    const expected = units.map((_, n) => (n % 9 === 3 || n % 9 === 5 ? conflict('guard') : COMMITTED))
    assert.deepEqual(results, expected)
    assert.equal((await store.activities('org', {}, { limit: 100 })).length, 60)
    assert.equal(await holderOf(store, 'org', 'name', 'n5'), undefined)
    assert.equal(await holderOf(store, 'org', 'name', 'n7'), 'u')
  })

  promise('a unit that no store takes is refused alone', async (store) => {
    const row = aRequest(1)
    const bad: Unit[] = [
      aRecord({ ...row, intent: 'a\0b' }),
      aRecord({ ...row, result: '\ud800' }),
      aRecord({ ...row, createdAt: 1.5 }),
      aRecord({ ...row, timestampMs: 2 ** 53 }),
      claiming(anEntry('v\0', 'u')),
      claiming(anEntry('v'.repeat(ENTRY_BYTES_MAX), 'u')),
      aUnit({ charters: [aCharter('org', 1)] }),
      anAmendment(aCharter('org', 1), { charters: [aCharter('org', 1), aCharter('org', 1)] }),
      aUnit({ activity: { row, replaces: row.revision, audience: [] } }),
      aUnit({ objects: { put: [anObject('a'), anObject('b'), anObject('a')], remove: [] } }),
    ]
    const good = [aRecord(aRequest(2)), claiming(anEntry('w'.repeat(2_000), 'u'))]

    const results = await Promise.allSettled([...bad, ...good].map(store.commit))

    const refused = results.map((result) => result.status === 'rejected' && String(result.reason))
    assert.ok(refused.slice(0, bad.length).every((reason) => reason !== false && reason.startsWith('Bug: ')))
    assert.deepEqual(refused.slice(bad.length), [false, false])
  })

  promise('of the same request sent many times at once one is recorded', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    const units = Array.from({ length: 40 }, (_, n) => aRecord(aRequest(1, { activityId: anId(n) })))
    const results = await Promise.all(units.map((unit, n) => (n % 2 === 0 ? store : other).commit(unit)))
    assert.equal(count(results, COMMITTED), 1)
    assert.equal(count(results, conflict('fingerprint')), 39)
    assert.equal((await store.activities('org', {}, { limit: 100 })).length, 1)
    // The very same unit twice: two answers, one record.
    const twin = aRecord(aRequest(2))
    const twins = await Promise.all([store.commit(twin), store.commit(twin)])
    assert.deepEqual([count(twins, COMMITTED), count(twins, conflict('fingerprint'))], [1, 1])
  })

  promise('of one request that comes twice in a turn the first is recorded', async (store) => {
    const twice = [1, 2].map((n) => aRecord(aRequest(7, { activityId: anId(n) })))
    assert.deepEqual(await Promise.all(twice.map(store.commit)), [COMMITTED, conflict('fingerprint')])
    assert.equal((await store.activityOfRequest(aRequest(7)))?.activityId, anId(1))
  })

  promise(
    'of two units that are each guarded by what the other amends one succeeds',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      for (let round = 0; round < 25; round++) {
        const [left, right] = [`left-${round}`, `right-${round}`]
        await Promise.all([left, right].map((id) => store.commit(anAmendment(aCharter(id, 1)))))
        const guards = [left, right].map((organizationId) => ({ organizationId, version: 1 }))
        const results = await Promise.all([
          store.commit(anAmendment(aCharter(left, 2), { guards })),
          other.commit(anAmendment(aCharter(right, 2), { guards })),
        ])
        assert.deepEqual([count(results, COMMITTED), count(results, conflict('guard'))], [1, 1])
      }
    },
  )

  promise('units that wait for each other in a circle all get an answer', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    for (let round = 0; round < 10; round++) {
      const [a, b] = [`a-${round}`, `b-${round}`]
      await store.commit(claiming(anEntry(a, 'user-1'), anEntry(b, 'user-2')))
      const moving = (from: DirectoryEntry, to: DirectoryEntry) =>
        aUnit({ claims: { put: [to], remove: [from] } })
      const results = await Promise.all([
        store.commit(moving(anEntry(a, 'user-1'), anEntry(b, 'user-1'))),
        other.commit(moving(anEntry(b, 'user-2'), anEntry(a, 'user-2'))),
      ])
      assert.deepEqual(results, [conflict('claim'), conflict('claim')])
    }
  })

  promise(
    'of several records under one id, the one that is acknowledged is the one that is kept',
    async (store) => {
      const rows = [5, 3, 4].map((n) => aRequest(n, { activityId: anId(1) }))
      const results = await Promise.all(rows.map((row) => store.commit(aRecord(row))))
      assert.equal(count(results, COMMITTED), 1)
      const kept = rows[results.findIndex((result) => result.kind === 'committed')]
      assert.deepEqual(await store.activity('org', anId(1)), kept)
    },
  )

  promise('of a hundred who amend one charter version one succeeds', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    await store.commit(anAmendment(aCharter('org', 1)))
    const units = Array.from({ length: 100 }, (_, n) =>
      anAmendment(aCharter('org', 2, `{"by":${n}}`), {
        activity: { row: aRequest(n), replaces: null, audience: [] },
      }),
    )
    const results = await Promise.all(units.map((unit, n) => (n % 2 === 0 ? store : other).commit(unit)))
    assert.equal(count(results, COMMITTED), 1)
    assert.equal(count(results, conflict('guard')), 99)
    const winner = results.findIndex((result) => result.kind === 'committed')
    assert.equal((await store.charter('org'))?.body, `{"by":${winner}}`)
    assert.equal((await store.activities('org', {}, { limit: 100 })).length, 1)
  })

  promise(
    'of many who found one organization, claim one name or vote at once one succeeds',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      const race = (units: readonly Unit[]) =>
        Promise.all(units.map((unit, n) => (n % 2 === 0 ? store : other).commit(unit)))
      await store.commit(aRecord(aRequest(1)))

      const founders = await race(Array.from({ length: 20 }, () => anAmendment(aCharter('org', 1))))
      const claimants = await race(
        Array.from({ length: 20 }, (_, n) => claiming(anEntry('alice', `user-${n}`))),
      )
      const vote = aUnit({ activity: { row: aRequest(1, { revision: 1 }), replaces: 0, audience: [] } })
      const voters = await race(Array.from({ length: 20 }, () => vote))

      assert.deepEqual([count(founders, COMMITTED), count(founders, conflict('guard'))], [1, 19])
      assert.deepEqual([count(claimants, COMMITTED), count(claimants, conflict('claim'))], [1, 19])
      assert.deepEqual([count(voters, COMMITTED), count(voters, conflict('revision'))], [1, 19])
    },
  )

  promise('units that take the same names in opposite orders all get an answer', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    const names = Array.from({ length: 12 }, (_, n) => `name-${n}`)
    const units = Array.from({ length: 40 }, (_, n) => {
      const claims = names.map((name) => anEntry(name, `user-${n}`))
      return claiming(...(n % 2 === 0 ? claims : claims.reverse()))
    })
    const results = await Promise.all(units.map((unit, n) => (n % 3 === 0 ? store : other).commit(unit)))
    assert.equal(count(results, COMMITTED), 1)
    assert.equal(count(results, conflict('claim')), 39)
  })

  promise('more units than a batch takes are all written', async (store) => {
    const units = Array.from({ length: 700 }, (_, n) => aRecord(aSignature(n)))
    const results = await Promise.all(units.map(store.commit))
    assert.equal(count(results, COMMITTED), 700)
    assert.equal((await store.activities('org', {}, { limit: 1_000 })).length, 700)
  })

  promise('of two hosts that write a note the first one wins and both learn it', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    const said = await Promise.all([store.noteOnce('root', 'one'), other.noteOnce('root', 'two')])
    assert.equal(said[0], said[1])
    assert.equal(await other.note('root'), said[0])
    assert.equal(await store.noteOnce('root', 'three'), said[0])
  })

  promise(
    'it is empty until an organization is founded, whatever notes and probes there are',
    async (store, again) => {
      assert.equal(await store.isEmpty(), true)
      await store.noteOnce('root', 'one')
      for (let probes = 0; probes < 3; probes++) await store.probe()
      assert.equal(await store.isEmpty(), true)
      await store.commit(anAmendment(aCharter('org', 1)))
      assert.equal(await store.isEmpty(), false)
      assert.equal(await store.note('root'), 'one')
      await store.close()
      assert.equal(await (await again()).isEmpty(), false)
      await assert.rejects(store.probe())
    },
  )

  promise('closing settles what was taken, and opening again finds it', async (store, again) => {
    const founding = anAmendment(aCharter('org', 1))
    const pending = [founding, ...Array.from({ length: 300 }, (_, n) => aRecord(aSignature(n)))].map(
      store.commit,
    )
    const note = await store.noteOnce('root', 'one')
    await store.close()
    assert.equal(count(await Promise.all(pending), COMMITTED), 301)
    await assert.rejects(store.commit(aRecord(aRequest(999))), { name: 'StoreError', kind: 'closed' })

    const reopened = await again()
    assert.deepEqual(await reopened.charter('org'), aCharter('org', 1))
    assert.equal((await reopened.activities('org', {}, { limit: 1_000 })).length, 300)
    assert.deepEqual(await reopened.activity('org', anId(7)), aSignature(7))
    assert.equal(await reopened.note('root'), note)
  })
}

function claiming(...put: readonly DirectoryEntry[]): Unit {
  return aUnit({ claims: { put, remove: [] } })
}

function pick<T>(list: readonly T[], n: number): T {
  const item = list[n % list.length]
  assert.ok(item !== undefined)
  return item
}
