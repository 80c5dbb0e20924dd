import assert from 'node:assert/strict'
import { present } from '../../../trusted/base/assert.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { DirectoryEntry, ObjectRow, Unit } from '../../../trusted/catalogue/unit.ts'
import type { ChargedUnit, Charge, Exhausted, QuotaName } from '../quotas/quota.ts'
import { messageOrderingKey } from '../ordering-keys.ts'
import { changedSettings, EVERY_ORGANIZATION } from '../quotas/settings.ts'
import type { CommitResult, Store } from '../store.ts'
import { COMMITTED, conflict, count, type Promised } from './conformance-promise.ts'
import {
  aCharter,
  aJob,
  anAmendment,
  anEntry,
  anObject,
  aRecord,
  aRequest,
  aUnit,
  holderOf,
} from './fixtures.ts'

const MIDNIGHT: Ms = Date.UTC(2026, 10, 23)
const NOON: Ms = MIDNIGHT + 12 * 3_600_000
const DAY: Ms = 24 * 3_600_000

/** The promises of `Store` about quotas. */
export function quotaPromises(promise: Promised): void {
  promise(
    'of a quota nothing more is used than there is, and what exceeds it writes nothing',
    async (store) => {
      await set(store, 'org', { requests: 3 })
      for (const n of [1, 2, 3]) assert.deepEqual(await store.commit(asking(n)), COMMITTED)

      assert.deepEqual(await store.commit(asking(4)), exceeded('requests', 3))
      assert.equal(await store.activity('org', aRequest(4).activityId), undefined)
      const several = aUnit({
        ...asking(5),
        objects: { put: [anObject('a')], remove: [] },
        claims: { put: [anEntry('name', 'user')], remove: [] },
      })
      assert.deepEqual(await store.commit({ ...several, charge: aCharge() }), exceeded('requests', 3))
      assert.deepEqual(await store.objects('org', 'privateKey', ['a']), [])
      assert.equal(await holderOf(store, 'org', 'name', 'name'), undefined)
      assert.deepEqual(await used(store), { requests: 3 })
    },
  )

  promise(
    'what is counted by the day is there again on the next, also where clocks differ',
    async (store) => {
      await set(store, 'org', { requests: 1, cost: 700 })
      assert.deepEqual(await store.commit(asking(1, { cost: 701 })), exceeded('cost', 700))
      assert.deepEqual(await store.commit(asking(1, { cost: 700 })), COMMITTED)
      assert.deepEqual(await store.commit(asking(2, { now: MIDNIGHT + DAY - 1 })), exceeded('requests', 1))

      assert.deepEqual(await store.commit(asking(2, { now: MIDNIGHT + DAY, cost: 500 })), COMMITTED)
      // A host whose clock is behind neither begins a new day nor takes one back.
      assert.deepEqual(await store.commit(asking(3, { now: MIDNIGHT + DAY - 1 })), exceeded('requests', 1))
      assert.deepEqual(await store.commit(asking(3, { now: MIDNIGHT + DAY + 1 })), exceeded('requests', 1))
      assert.deepEqual(await used(store, MIDNIGHT + DAY), { requests: 1, cost: 500 })
      assert.deepEqual(await used(store, MIDNIGHT + 2 * DAY), { requests: 0, cost: 0 })
    },
  )

  promise(
    'a request counts for the organization and for its parent, and each may refuse it',
    async (store) => {
      await set(store, 'parent', { requests: 3 })
      await set(store, 'org', { requests: 2 })
      const ofSub = (n: number) => asking(n, { organizationIds: ['org', 'parent'] })
      for (const n of [1, 2]) assert.deepEqual(await store.commit(ofSub(n)), COMMITTED)
      assert.deepEqual(await store.commit(ofSub(3)), exceeded('requests', 2))
      await set(store, 'org', { requests: 9 })
      assert.deepEqual(await store.commit(ofSub(3)), COMMITTED)
      assert.deepEqual(await store.commit(ofSub(4)), exceeded('requests', 3, 'parent'))
      assert.deepEqual(await used(store), { requests: 3 })
      assert.deepEqual(await used(store, NOON, 'parent'), { requests: 3 })
    },
  )

  promise('what is not bound is written at a full quota, and counts', async (store) => {
    await set(store, 'org', { requests: 0, objects: 0 })
    assert.deepEqual(await store.commit(asking(1)), exceeded('requests', 0))
    assert.deepEqual(await store.commit(asking(1, { isBound: false })), COMMITTED)
    assert.deepEqual(await store.commit(putting('a', { isBound: false })), COMMITTED)
    // The service's own writes are not requests.
    assert.deepEqual(await store.commit(aUnit({ objects: { put: [anObject('b')], remove: [] } })), COMMITTED)
    assert.deepEqual(await used(store), { requests: 2, objects: 2 })
  })

  promise(
    'objects and bytes are counted as they stand: put, replaced, removed, and none that expires',
    async (store) => {
      await store.commit(putting('before'))
      await set(store, 'org', { objects: 3, storedBytes: 1_000 })
      const bytes = anObject('before').body.length + anObject('before').seal.length
      assert.deepEqual(await used(store), { objects: 1, storedBytes: bytes })

      const passing = [
        anObject('passing', { expiresAt: 1 }),
        anObject('user', { kind: 'import_target' }),
        anObject('text', { kind: 'policy_text' }),
      ]
      assert.deepEqual(await store.commit(charged({ objects: { put: passing, remove: [] } })), COMMITTED)
      assert.deepEqual(await used(store), { objects: 1, storedBytes: bytes })
      const wide = anObject('wide', { body: '{"ü":"🗝"}', seal: '1.20.0123456789' })
      assert.deepEqual(await store.commit(charged({ objects: { put: [wide], remove: [] } })), COMMITTED)
      assert.deepEqual(await used(store), {
        objects: 2,
        storedBytes: bytes + Buffer.byteLength(wide.body) + '0123456789'.length,
      })
      assert.deepEqual(await store.commit(charged({ objects: { put: [], remove: [wide] } })), COMMITTED)

      for (const id of ['a', 'b']) assert.deepEqual(await store.commit(putting(id)), COMMITTED)
      assert.deepEqual(await store.commit(putting('c')), exceeded('objects', 3))
      // Replacing adds none, and removing one makes room for another in the same unit.
      assert.deepEqual(await store.commit(putting('a', {}, { body: '{"longer":1}' })), COMMITTED)
      const swapped = { put: [anObject('c')], remove: [anObject('a'), anObject('was never there')] }
      assert.deepEqual(await store.commit(charged({ objects: swapped })), COMMITTED)
      assert.deepEqual(await store.commit(putting('d')), exceeded('objects', 3))
      assert.deepEqual(
        await store.commit(charged({ objects: { put: [], remove: [anObject('b')] } })),
        COMMITTED,
      )
      assert.deepEqual(await store.commit(putting('d')), COMMITTED)
      assert.deepEqual(await store.quotas.recount('org', NOON), [])
      const long = putting('before', {}, { body: 'x'.repeat(1_000) })
      assert.deepEqual(await store.commit(long), exceeded('storedBytes', 1_000))
    },
  )

  promise(
    'charters count as bytes of their organization, and sub-organizations for their parent',
    async (store) => {
      await store.commit(anAmendment(aCharter('org', 1)))
      await set(store, 'org', { subOrganizations: 2 })
      await set(store, EVERY_ORGANIZATION, { storedBytes: 60 })
      for (const id of ['sub-1', 'sub-2']) assert.deepEqual(await store.commit(founding(id)), COMMITTED)
      assert.deepEqual(await store.commit(founding('sub-3')), exceeded('subOrganizations', 2))
      // An entry that is put again is still one.
      const again = charged({ directory: { put: [entryOf('sub-1')], remove: [] } })
      assert.deepEqual(await store.commit(again), COMMITTED)
      assert.deepEqual(
        await store.commit(charged({ directory: { put: [], remove: [entryOf('sub-1')] } })),
        COMMITTED,
      )
      assert.deepEqual(
        await store.commit(founding('sub-3', 'x'.repeat(61))),
        exceeded('storedBytes', 60, 'sub-3'),
      )
      assert.deepEqual(await store.commit(founding('sub-3', 'x'.repeat(60))), COMMITTED)
      assert.deepEqual(await used(store), { subOrganizations: 2, storedBytes: '{"version":1}'.length })
      assert.deepEqual(await used(store, NOON, 'sub-3'), { storedBytes: 60 })
    },
  )

  promise(
    'a quota of its own stands before that of all; raised, lowered and taken away it holds at once',
    async (store, again) => {
      const other = store.engine === 'postgres' ? await again() : store
      await set(store, EVERY_ORGANIZATION, { objects: 1 })
      assert.deepEqual(await other.commit(putting('a')), COMMITTED)
      assert.deepEqual(await other.commit(putting('b')), exceeded('objects', 1))
      await set(store, 'org', { objects: 3 })
      for (const id of ['b', 'c']) assert.deepEqual(await other.commit(putting(id)), COMMITTED)
      await set(store, 'org', { objects: 2 })
      assert.deepEqual(await other.commit(putting('d')), exceeded('objects', 2))
      // What adds nothing is not refused, although more stands than is permitted now.
      assert.deepEqual(await other.commit(putting('c', {}, { body: '{"new":1}' })), COMMITTED)
      await set(store, 'org', { objects: null })
      assert.deepEqual(await other.commit(putting('d')), exceeded('objects', 1))
      await set(store, EVERY_ORGANIZATION, { objects: null })
      assert.deepEqual(await other.commit(putting('d')), COMMITTED)
      assert.deepEqual(await store.quotas.uses('org', NOON), [])
      // Rows that came without counting are counted by the next count.
      await set(store, 'org', { objects: 9 })
      assert.deepEqual(await used(other), { objects: 4 })
    },
  )

  promise('quotas and what was used of them outlive a restart', async (store, again) => {
    await set(store, 'org', { requests: 2 })
    assert.deepEqual(await store.commit(asking(1)), COMMITTED)
    await store.close()
    const reopened = await again()
    assert.equal((await reopened.quotas.settings()).version, 1)
    assert.deepEqual(await reopened.commit(asking(2)), COMMITTED)
    assert.deepEqual(await reopened.commit(asking(3)), exceeded('requests', 2))
  })

  promise('of two who change the settings at once one does, and knows it', async (store, again) => {
    const other = store.engine === 'postgres' ? await again() : store
    const before = await store.quotas.settings()
    const results = await Promise.all(
      [1, 2].map((most) => {
        const next = changedSettings(before, 'org', { objects: most })
        return (most === 1 ? store : other).quotas.replace(next)
      }),
    )
    assert.deepEqual(results.toSorted(), [false, true])
    assert.equal((await other.quotas.settings()).version, before.version + 1)
  })

  promise('of many who want the last, one gets it, on however many hosts', async (store, again) => {
    const hosts = store.engine === 'postgres' ? [store, await again(), await again()] : [store]
    await set(store, 'org', { requests: 25, objects: 7 })
    const each = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0 ? putting(`key ${n}`) : asking(n, n % 3 === 1 ? {} : { organizationIds: ['org', 'other'] }),
    )
    const results = await Promise.all(each.map((unit, n) => hostOf(hosts, n).commit(unit)))
    assert.equal(
      count(
        results.filter((_, n) => n % 3 === 0),
        COMMITTED,
      ),
      7,
    )
    assert.equal(
      count(
        results.filter((_, n) => n % 3 !== 0),
        COMMITTED,
      ),
      18,
    )
    assert.deepEqual(await used(store), { requests: 25, objects: 7 })
    assert.deepEqual(await store.quotas.recount('org', NOON), [])
  })

  promise(
    'messages count for the organization whose user asked, and apart from its own for a parent, on however many hosts',
    async (store, again) => {
      const hosts = store.engine === 'postgres' ? [store, await again(), await again()] : [store]
      const one = (askedIn: string) => ({ askedIn, parentId: 'parent', count: 1 })
      await set(store, 'org', { messages: 2 })
      await set(store, 'parent', { messages: 1, subOrganizationMessages: 5 })
      const each = Array.from({ length: 30 }, (_, n) => writing(n, one(n % 2 === 0 ? 'org' : 'other')))
      const results = await Promise.all(each.map((unit, n) => hostOf(hosts, n).commit(unit)))
      assert.equal(count(results, COMMITTED), 5)
      assert.ok(Number((await used(store)).messages) <= 2)
      assert.deepEqual(await used(store, NOON, 'parent'), { messages: 0, subOrganizationMessages: 5 })
      assert.deepEqual(
        await store.commit(writing(30, one('other'))),
        exceeded('subOrganizationMessages', 5, 'parent'),
      )
      assert.deepEqual(await store.jobsOf(orderingKeyOf(30), 'waiting', { limit: 1 }), [])
      assert.deepEqual(await store.commit(writing(30, { askedIn: 'parent', count: 1 })), COMMITTED)
      assert.equal((await store.jobsOf(orderingKeyOf(30), 'waiting', { limit: 1 })).length, 1)
      assert.deepEqual(
        await store.commit(writing(31, { askedIn: 'parent', count: 1 })),
        exceeded('messages', 1, 'parent'),
      )
      // A request that has no message is not refused.
      assert.deepEqual(await store.commit(asking(32)), COMMITTED)
    },
  )

  promise('messages have a quota where nobody has set one, which one of its own replaces', async (store) => {
    const ofSub = (messages: number) => ({ askedIn: 'org', parentId: 'parent', count: messages })
    assert.deepEqual(await store.commit(writing(1, ofSub(10_000))), COMMITTED)
    assert.deepEqual(
      await store.commit(writing(2, ofSub(1))),
      exceeded('subOrganizationMessages', 10_000, 'parent'),
    )
    assert.deepEqual(await store.commit(writing(2, { askedIn: 'parent', count: 100_000 })), COMMITTED)
    assert.deepEqual(
      await store.commit(writing(3, { askedIn: 'parent', count: 1 })),
      exceeded('messages', 100_000, 'parent'),
    )
    assert.deepEqual(await used(store, NOON, 'parent'), {
      messages: 100_000,
      subOrganizationMessages: 10_000,
    })
    await set(store, 'parent', { subOrganizationMessages: 10_001 })
    assert.deepEqual(await store.commit(writing(4, ofSub(1))), COMMITTED)
    assert.deepEqual(await used(store), { messages: 10_001 })
    const tomorrow = { now: NOON + DAY }
    assert.deepEqual(await store.commit(writing(5, ofSub(10_001), tomorrow)), COMMITTED)
    assert.deepEqual(await used(store, NOON + 2 * DAY), {})
  })

  promise('of records that come together each is told by itself what becomes of it', async (store) => {
    await set(store, 'org', { requests: 4 })
    await store.commit(asking(1))
    const guarded = { ...asking(2), guards: [{ organizationId: 'org', version: 7 }] }
    const results = await Promise.all(
      [asking(1), guarded, asking(3), asking(4), asking(5), asking(6)].map(store.commit),
    )
    assert.deepEqual(results.slice(0, 2), [conflict('fingerprint'), conflict('guard')])
    assert.equal(count(results, COMMITTED), 3)
    assert.deepEqual(await used(store), { requests: 4 })
  })

  promise('a quota that is set while others write counts each of their rows, once', async (store, again) => {
    const hosts = store.engine === 'postgres' ? [await again(), await again()] : [store]
    let isDone = false
    const writing = hosts.map(async (host, at) => {
      for (let n = 0; !isDone || n < 10; n++) {
        const remove = n % 3 === 2 ? [anObject(`${at} ${n - 1}`)] : []
        await host.commit(charged({ objects: { put: [anObject(`${at} ${n}`)], remove } }))
      }
    })
    for (const most of [1_000_000, 2_000_000]) {
      await set(store, 'org', { objects: most, storedBytes: most })
      await store.quotas.uses('org', NOON)
      await set(store, 'org', { objects: null, storedBytes: null })
    }
    await set(store, 'org', { objects: 1_000_000, storedBytes: 1_000_000 })
    isDone = true
    await Promise.all(writing)
    assert.deepEqual(await store.quotas.recount('org', NOON), [])
    assert.ok(((await used(store)).objects ?? 0) >= 7)
  })

  promise('a count that is not what stands is told, and set right', async (store) => {
    await set(store, 'org', { objects: 5 })
    await store.commit(putting('a'))
    await store.commit(forged('org', '{"objects":{"used":4,"of":"1"}}'))
    assert.deepEqual(await store.commit(putting('b')), COMMITTED)
    assert.deepEqual(await store.quotas.recount('org', NOON), [
      { organizationId: 'org', quota: 'objects', counted: 5, found: 2 },
    ])
    assert.deepEqual(await used(store), { objects: 2 })
    assert.deepEqual(await store.quotas.recount('org', NOON), [])
  })

  promise('without quotas nothing is counted', async (store) => {
    await store.commit(putting('a'))
    await store.commit(asking(1))
    assert.deepEqual(await store.quotas.uses('org', NOON), [])
    assert.deepEqual(await store.quotas.recount('org', NOON), [])
    assert.equal(await holderOf(store, '@quotas', 'USED', 'org'), undefined)
  })
}

type Change = { readonly [Name in QuotaName]?: number | null }

async function set(store: Store, subject: string, change: Change): Promise<void> {
  const next = changedSettings(await store.quotas.settings(), subject, change)
  assert.equal(await store.quotas.replace(next), true)
}

async function used(store: Store, now = NOON, organizationId = 'org'): Promise<Change> {
  const uses = await store.quotas.uses(organizationId, now)
  return Object.fromEntries(uses.map(({ quota, used: amount }) => [quota, amount]))
}

function aCharge(parts: Partial<Charge> = {}): Charge {
  return { organizationIds: ['org'], requests: 1, cost: 0, isBound: true, now: NOON, ...parts }
}

/** A signature. */
function asking(n: number, charge: Partial<Charge> = {}): ChargedUnit {
  return { ...aRecord(aRequest(n)), charge: aCharge(charge) }
}

function charged(parts: Partial<Unit>, charge: Partial<Charge> = {}): ChargedUnit {
  return { ...aUnit(parts), charge: aCharge(charge) }
}

/** A login that has messages sent. */
function writing(
  n: number,
  messages: NonNullable<Charge['messages']>,
  charge: Partial<Charge> = {},
): ChargedUnit {
  const { guards, activity } = aRecord(aRequest(n))
  const unit = aUnit({ guards, ...(activity && { activity }), jobs: [aJob(`job ${n}`)] })
  const login = { requests: 0, isBound: false, organizationIds: [] } as const
  return { ...unit, charge: aCharge({ ...login, messages, ...charge }) }
}

function orderingKeyOf(n: number): string {
  return messageOrderingKey(`job ${n}`)
}

function putting(id: string, charge: Partial<Charge> = {}, parts: Partial<ObjectRow> = {}): ChargedUnit {
  return charged({ objects: { put: [anObject(id, parts)], remove: [] } }, charge)
}

function entryOf(target: string): DirectoryEntry {
  return anEntry('', target, { kind: 'SUB_ORGANIZATION' })
}

function founding(id: string, body?: string): ChargedUnit {
  const unit = anAmendment(aCharter(id, 1, body), { directory: { put: [entryOf(id)], remove: [] } })
  return { ...unit, charge: aCharge() }
}

/** A writer changes the database. */
function forged(organizationId: string, target: string): Unit {
  const claim = { scope: '@quotas', kind: 'USED', value: organizationId }
  return aUnit({
    claims: {
      remove: [{ ...claim, target: '{"objects":{"used":1,"of":"1"}}' }],
      put: [{ ...claim, target }],
    },
  })
}

function exceeded(quota: QuotaName, most: number, organizationId = 'org'): CommitResult {
  const exhausted: Exhausted = { organizationId, quota, most }
  return { kind: 'exhausted', exhausted }
}

function hostOf(hosts: readonly Store[], n: number): Store {
  return present(hosts[n % hosts.length], 'a host')
}
