import assert from 'node:assert/strict'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { mailsTo } from '../../../trusted/objects/email-event.ts'
import type { Found } from '../found.ts'
import { COMMITTED, conflict, count, type Promised } from './conformance-promise.ts'
import { aCharter, anAmendment, anEntry, anObject, aRequest, aUnit, holderOf } from './fixtures.ts'

/** The promises of `Store` about guarded rows, and about rows that expire. */
export function guardPromises(promise: Promised): void {
  promise('a unit whose guarded row is another one by now, or none, writes nothing', async (store) => {
    await store.commit(putting(anObject('a', { seal: 's1' })))
    const effects = {
      activity: { row: aRequest(1), replaces: null, audience: [] },
      objects: { put: [anObject('a', { seal: 's2' }), anObject('b')], remove: [] },
      claims: { put: [anEntry('name', 'user')], remove: [] },
    }
    const stale = [
      aUnit({ ...effects, objectGuards: [guardOf('a', 's0')] }),
      aUnit({ ...effects, objectGuards: [guardOf('a', null)] }),
      aUnit({ ...effects, objectGuards: [guardOf('b', 's1')] }),
      aUnit({ ...effects, objectGuards: [guardOf('a', 's1'), guardOf('b', 's1')] }),
      aUnit({ ...effects, objectGuards: [{ ...guardOf('a', 's1'), kind: 'wallet' }] }),
      aUnit({ ...effects, objectGuards: [{ ...guardOf('a', 's1'), organizationId: 'other' }] }),
    ]

    for (const unit of stale) assert.deepEqual(await store.commit(unit), conflict('object'))

    assert.deepEqual(await store.objects('org', 'privateKey', ['a', 'b']), [anObject('a', { seal: 's1' })])
    assert.deepEqual(await store.activities('org', {}, { limit: 10 }), [])
    assert.equal(await holderOf(store, 'org', 'name', 'name'), undefined)
  })

  promise('a unit whose guarded rows hold is written, whatever it does with them', async (store) => {
    await store.commit(putting(anObject('a', { seal: 's1' }), anObject('b', { seal: 's1' })))

    const replaced = aUnit({
      objectGuards: [guardOf('a', 's1'), guardOf('c', null)],
      objects: { put: [anObject('a', { seal: 's2' }), anObject('c', { seal: 's2' })], remove: [] },
    })
    assert.deepEqual(await store.commit(replaced), COMMITTED)
    const removed = aUnit({
      objectGuards: [guardOf('b', 's1'), guardOf('d', null), guardOf('e', null)],
      // Removals come first: an object that is removed and put is there in the end.
      objects: { put: [anObject('d', { seal: 's3' })], remove: [anObject('b'), anObject('d')] },
    })
    assert.deepEqual(await store.commit(removed), COMMITTED)
    const looked = aUnit({
      objectGuards: [guardOf('a', 's2'), guardOf('b', null)],
      claims: { put: [anEntry('name', 'user')], remove: [] },
    })
    assert.deepEqual(await store.commit(looked), COMMITTED)

    const found = await store.objects('org', 'privateKey', ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(
      found.map(({ objectId, seal }) => [objectId, seal]),
      [
        ['a', 's2'],
        ['c', 's2'],
        ['d', 's3'],
      ],
    )
  })

  promise('a guarded row is told after the charter and before the request and the name', async (store) => {
    const activity = { row: aRequest(1), replaces: null, audience: [] }
    await store.commit(anAmendment(aCharter('org', 1), { activity }))
    await store.commit(aUnit({ claims: { put: [anEntry('alice', 'user-1')], remove: [] } }))
    const objectGuards = [guardOf('a', 's1')]
    const rest = { activity, claims: { put: [anEntry('alice', 'user-2')], remove: [] } }

    const both = aUnit({ guards: [{ organizationId: 'org', version: 7 }], objectGuards, ...rest })
    assert.deepEqual(await store.commit(both), conflict('guard'))
    const amending = anAmendment(aCharter('org', 7), { objectGuards, ...rest })
    assert.deepEqual(await store.commit(amending), conflict('guard'))
    const guards = [{ organizationId: 'org', version: 1 }]
    assert.deepEqual(await store.commit(aUnit({ guards, objectGuards, ...rest })), conflict('object'))
    assert.deepEqual(await store.commit(aUnit({ guards, ...rest })), conflict('fingerprint'))
  })

  promise('of many who change one guarded row, or put it first, one succeeds', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    const race = (units: readonly Unit[]) =>
      Promise.all(units.map((unit, n) => (n % 2 === 0 ? store : other).commit(unit)))
    for (let round = 0; round < 5; round++) {
      const id = `row-${round}`
      const first = await race(Array.from({ length: 20 }, (_, n) => replacing(id, null, `first-${n}`)))
      assert.deepEqual([count(first, COMMITTED), count(first, conflict('object'))], [1, 19])
      const seal = `first-${first.findIndex((result) => result.kind === 'committed')}`
      const second = await race(Array.from({ length: 20 }, (_, n) => replacing(id, seal, `second-${n}`)))
      assert.deepEqual([count(second, COMMITTED), count(second, conflict('object'))], [1, 19])
      const winner = second.findIndex((result) => result.kind === 'committed')
      const [row] = await store.objects('org', 'privateKey', [id])
      assert.equal(row?.seal, `second-${winner}`)
    }
  })

  promise('units that the same rows guard, in any order, all get an answer', async (store) => {
    const guarded = (...ids: readonly string[]) =>
      store.commit(aUnit({ objectGuards: ids.map((id) => guardOf(id, null)) }))
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ] as const
    const results = await Promise.all(orders.map((ids) => guarded(...ids)))
    assert.deepEqual(new Set(results.map(({ kind }) => kind)), new Set(['committed']))
  })

  promise('a count in a guarded row loses nothing, however many count at once', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    const countUp = async (host: typeof store): Promise<void> => {
      for (;;) {
        const [row] = await host.objects('org', 'privateKey', ['count'])
        const seal = row?.seal ?? null
        const unit = replacing('count', seal, String(Number(seal ?? 0) + 1))
        if ((await host.commit(unit)).kind === 'committed') return
      }
    }
    await Promise.all(Array.from({ length: 30 }, (_, n) => countUp(n % 2 === 0 ? store : other)))
    assert.equal((await store.objects('org', 'privateKey', ['count']))[0]?.seal, '30')
  })

  promise(
    'of two units that each put what must not be there for the other one succeeds',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      for (let round = 0; round < 15; round++) {
        const [left, right] = [`left-${round}`, `right-${round}`]
        const unit = (absent: string, put: string) =>
          aUnit({ objectGuards: [guardOf(absent, null)], objects: { put: [anObject(put)], remove: [] } })
        const results = await Promise.all([store.commit(unit(left, right)), other.commit(unit(right, left))])
        assert.deepEqual([count(results, COMMITTED), count(results, conflict('object'))], [1, 1])
      }
    },
  )

  promise(
    'a unit guarded by a row sees the charter as the last holder of the row left it',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      for (let round = 0; round < 15; round++) {
        const id = `o-${round}`
        await store.commit(
          anAmendment(aCharter(id, 1), { objects: { put: [anObject(id, { seal: 's1' })], remove: [] } }),
        )
        // Neither changes the row that guards the other; each reads it, and one amends the row that the other relies
        // on.
        const reading = anAmendment(aCharter(id, 2), { objectGuards: [guardOf(id, 's1')] })
        const using = aUnit({ ...replacing(id, 's1', 's2'), guards: [{ organizationId: id, version: 1 }] })
        const results = await Promise.all([store.commit(reading), other.commit(using)])
        assert.equal(count(results, COMMITTED), 1)
      }
    },
  )

  promise(
    'of units that each rest on the row of the one before, all are written, sent at once',
    async (store) => {
      const step = (n: number): Unit =>
        aUnit({
          objectGuards: [guardOf('a', n === 0 ? null : `s${n - 1}`)],
          objects: { put: [anObject('a', { seal: `s${n}` })], remove: [] },
          activity: { row: aRequest(n + 1), replaces: null, audience: ['org'] },
        })
      const sent = Array.from({ length: 100 }, (_, n) => store.commit(step(n)))
      assert.deepEqual(await Promise.all(sent), Array(100).fill(COMMITTED))
      // Without its first, none of a sequence of units finds the row that it depends on.
      const late = [102, 103, 104].map((n) => store.commit(step(n)))
      assert.deepEqual(await Promise.all(late), Array(3).fill(conflict('object')))
      assert.deepEqual(await store.objects('org', 'privateKey', ['a']), [anObject('a', { seal: 's99' })])
    },
  )

  promise('a unit whose lookups find more by now writes nothing', async (store) => {
    const directory = { put: [anEntry('one', 'a'), anEntry('one', 'b')], remove: [] }
    const put = [anObject('a'), anObject('b'), anObject('c', { kind: 'wallet' })]
    await store.commit(anAmendment(aCharter('org', 1), { objects: { put, remove: [] }, directory }))
    const kind = (count: number, organizationId = 'org'): Found => {
      return { of: 'kind', organizationId, kind: 'privateKey', count }
    }
    const entry = (value: string, count: number): Found => {
      return { of: 'entry', organizationId: 'org', kind: 'name', value, count }
    }
    const removing = anAmendment(aCharter('org', 2), { objects: { put: [], remove: [anObject('a')] } })

    for (const found of [[kind(1)], [kind(0)], [entry('one', 1)], [kind(2), entry('one', 0)]])
      assert.deepEqual(await store.commit({ ...removing, found }), conflict('guard'))
    assert.equal((await store.objectsOfKind('org', 'privateKey', { limit: 10 })).length, 2)

    // What is elsewhere, or gone, or no text of a database, is nothing more.
    const found = [kind(2), kind(0, 'other'), entry('one', 2), entry('two', 1), entry('\0', 0)]
    assert.deepEqual(await store.commit({ ...removing, found }), COMMITTED)
    assert.equal((await store.objectsOfKind('org', 'privateKey', { limit: 10 })).length, 1)
  })

  promise(
    'of a unit that found no row, and one that adds it, the first to be written is the only one',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      for (let round = 0; round < 15; round++) {
        const organizationId = `o-${round}`
        await store.commit(anAmendment(aCharter(organizationId, 1)))
        const found: Found[] = [{ of: 'kind', organizationId, kind: 'privateKey', count: 0 }]
        const added = anObject('added', { organizationId })
        const results = await Promise.all([
          store.commit(
            aUnit({
              guards: [{ organizationId, version: 1 }],
              objects: { put: [added], remove: [] },
              claims: { put: [anEntry('added', 'added', { scope: organizationId })], remove: [] },
            }),
          ),
          other.commit({ ...anAmendment(aCharter(organizationId, 2)), found }),
        ])
        assert.deepEqual([count(results, COMMITTED), count(results, conflict('guard'))], [1, 1])
      }
    },
  )

  promise('the lookup entries of an object are swept with it, whatever a body holds', async (store) => {
    const mail = (jobId: string, body: string, expiresAt: number) => ({
      ...anObject(jobId, { expiresAt }),
      kind: 'email_event',
      body,
    })
    const entry = (target: string) => ({ scope: 'org', ...mailsTo('ada@example.com'), target })
    const told = (jobId: string) => JSON.stringify({ jobId, to: 'Ada@example.com', at: 0 })
    const code = { scope: 'org', kind: 'OTP', value: 'code', target: 'contact' }
    const contact = { ...anObject('contact', { expiresAt: 50 }), kind: 'otp_contact' }
    const unit = putting(
      mail('gone', told('gone'), 50),
      mail('stays', told('stays'), 101),
      mail('changed', '{', 50),
      mail('emptied', 'null', 50),
      { ...contact, body: JSON.stringify({ codes: [{ otpId: 'code' }] }) },
    )
    const entries = ['gone', 'stays', 'changed'].map(entry)
    await store.commit({ ...unit, directory: { put: [...entries, code], remove: [] } })

    assert.equal(await store.sweep({ now: 100, limit: 10 }), 4)
    assert.deepEqual(await store.find(entry(''), { limit: 10 }), ['changed', 'stays'])
    assert.deepEqual(await store.find(code, { limit: 10 }), [])
  })

  promise('objects that have expired are swept, the others stay', async (store) => {
    await store.commit(
      putting(
        anObject('stays'),
        anObject('later', { expiresAt: 101 }),
        anObject('now', { expiresAt: 100 }),
        anObject('before', { expiresAt: 50 }),
        anObject('kept', { expiresAt: 10 }),
        anObject('hurried', { expiresAt: null }),
      ),
    )
    await store.commit(putting(anObject('kept', { expiresAt: null }), anObject('hurried', { expiresAt: 60 })))
    const namesakes = [anObject('now', { organizationId: 'other' }), anObject('now', { kind: 'wallet' })]
    await store.commit(putting(...namesakes))

    assert.equal(await store.sweep({ now: 49, limit: 10 }), 0)
    const ids = async () =>
      (await store.objectsOfKind('org', 'privateKey', { limit: 10 })).map((object) => object.objectId)
    assert.equal(await store.sweep({ now: 100, limit: 2 }), 2)
    assert.deepEqual(await ids(), ['kept', 'later', 'now', 'stays'])
    assert.equal(await store.sweep({ now: 100, limit: 2 }), 1)
    assert.equal(await store.sweep({ now: 100, limit: 2 }), 0)
    assert.deepEqual(await ids(), ['kept', 'later', 'stays'])
    const [later] = await store.objects('org', 'privateKey', ['later'])
    assert.deepEqual(later, anObject('later', { expiresAt: 101 }))
    for (const object of namesakes)
      assert.deepEqual(await store.objects(object.organizationId, object.kind, ['now']), [object])
  })
}

function guardOf(objectId: string, seal: string | null): Unit['objectGuards'][number] {
  return { organizationId: 'org', kind: 'privateKey', objectId, seal }
}

function putting(...put: ReturnType<typeof anObject>[]): Unit {
  return aUnit({ objects: { put, remove: [] } })
}

function replacing(objectId: string, from: string | null, to: string): Unit {
  const put = [anObject(objectId, { seal: to })]
  return aUnit({ objectGuards: [guardOf(objectId, from)], objects: { put, remove: [] } })
}
