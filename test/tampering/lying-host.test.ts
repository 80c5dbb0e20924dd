import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { StoreError } from '../../src/host/store/store-error.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { SettledUnits, Vault } from '../../src/protocol/vault.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, sentBy, type Service, START } from './harness.ts'
import { done, newUser, type Person, populate, type Populated, signing } from './populated.ts'

// What a host gains by what it tells of units, and what a service does whose host is merely slow, or cut off.

type Setting = { readonly service: Service; readonly store: Store; readonly people: Populated }

async function withHost(
  around: (vault: Vault) => Vault,
  use: (setting: Setting) => Promise<void>,
): Promise<void> {
  const store = openSqlite({ path: ':memory:' })
  try {
    const service = await openServiceOn(store, testWorld(1, START), around)
    await use({ service, store, people: await populate(service, store) })
  } finally {
    await store.close()
  }
}

const NOTHING: SettledUnits = { committed: [], dropped: [], unknown: [] }

describe('a host that lies', () => {
  // Known, and written down in SECURITY.md: a host that lies has what a restart gives to a writer of the database.
  test('calls dropped what was committed, and may bring what was before; it still signs for nobody who never could', async () => {
    const lying = (vault: Vault): Vault => ({
      ...vault,
      settled: ({ committed, dropped, unknown }) =>
        vault.settled({ committed: [], dropped: [...committed, ...dropped, ...unknown], unknown: [] }),
    })
    await withHost(lying, async ({ service, store, people }) => {
      const { root, stranger, other, keyId } = people
      const before = await store.charter(root.organizationId)
      await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      service.useStore({
        ...store,
        charter: async (id) => (id === root.organizationId ? before : await store.charter(id)),
      })
      assert.equal((await service.send(whoami(stranger))).status, 200)
      assert.notEqual((await service.send(signing(service.world, other, keyId, '70'))).status, 200)
    })
  })

  test('calls committed what was not: it keeps the organization from being served, and gains nothing', async () => {
    await withHost(
      (vault) => vault,
      async ({ service, store, people }) => {
        const { root, ada, keyId } = people
        service.useStore({
          ...store,
          commit: async (unit) =>
            unit.charters.length > 0 ? { kind: 'committed' } : await store.commit(unit),
        })
        await done(service, root, 'DELETE_USERS', { userIds: [people.stranger.userId] })
        service.useStore(store)
        assert.equal((await service.send(signing(service.world, ada, keyId, '71'))).status, 500)
        assert.equal((await service.send(whoami(people.stranger))).status, 500)
        assert.equal((await service.send(whoami(people.other))).status, 200)
      },
    )
  })

  test('tells twice, and of tickets that it was never given: the first word counts', async () => {
    const twice = (vault: Vault): Vault => ({
      ...vault,
      settled: (units) => {
        vault.settled({ ...NOTHING, committed: [1_000_000, 2 ** 50], dropped: [1_000_001] })
        vault.settled(units)
        vault.settled({ ...NOTHING, dropped: [...units.committed, ...units.dropped] })
        vault.settled({ ...NOTHING, committed: units.dropped, unknown: units.committed })
      },
    })
    await withHost(twice, async ({ service, store, people }) => {
      const { root, stranger } = people
      const before = await store.charter(root.organizationId)
      await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      service.useStore({ ...store, charter: async () => before })
      assert.equal((await service.send(whoami(stranger))).status, 500)
    })
  })
})

describe('an honest host', () => {
  test('whose commit hangs is handed out the same request once, however often it asks', async () => {
    const kinds: string[] = []
    const watched = (vault: Vault): Vault => ({
      ...vault,
      decide: async (request) => {
        const decision = await vault.decide(request)
        kinds.push(decision.kind)
        return decision
      },
    })
    await withHost(watched, async ({ service, people, store }) => {
      const sent = signing(service.world, people.root, people.keyId, '73')
      let written = (): void => {}
      const hanging = new Promise<void>((resolve) => {
        written = resolve
      })
      kinds.length = 0
      service.useStore({
        ...store,
        commit: async (unit) => {
          await hanging
          return await store.commit(unit)
        },
      })
      const answers = Promise.all([service.send(sent), service.send(sent)])
      while (kinds.length < 2) await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(kinds.toSorted(), ['commit', 'underWay'])
      written()
      const [first, second] = await answers
      assert.equal(first?.status, 200)
      assert.deepEqual(second, first)
    })
  })

  test('whose connection breaks in a commit may find it written or not, and both are right', async () => {
    for (const isWritten of [false, true]) {
      await withHost(
        (vault) => vault,
        async ({ service, store, people }) => {
          const { root, keyId } = people
          const breaking: Store = {
            ...store,
            commit: async (unit) => {
              if (isWritten) await store.commit(unit)
              throw new StoreError('unavailable', 'the connection broke')
            },
          }
          const sent = signing(service.world, root, keyId, '74')
          service.useStore(breaking)
          assert.equal((await service.send(sent)).status, 500)
          service.useStore(store)
          const first = await service.send(sent)
          assert.equal(first.status, 200)
          assert.deepEqual(await service.send(sent), first)
          service.useStore(breaking)
          const amending = async (): Promise<Person> => await newUser(service, root, `Late ${isWritten}`)
          await assert.rejects(amending())
          service.useStore(store)
          if (isWritten) await assert.rejects(amending(), /already/)
          else await amending()
        },
      )
    }
  })

  test('that gathered before a commit and asks after it is told to read again, and nobody notices', async () => {
    await withHost(
      (vault) => vault,
      async ({ service, store, people }) => {
        const { root, ada, ben, keyId, stranger } = people
        let release = (): void => {}
        const held = new Promise<void>((resolve) => {
          release = resolve
        })
        const amended = { isDone: false }
        service.useStore({
          ...store,
          charter: async (id) => {
            const row = await store.charter(id)
            if (!amended.isDone) await held
            return row
          },
        })
        // It has read the charter of before, and waits with it.
        const early = [
          whoami(ada),
          whoami(ben),
          asked(root, 'list_users'),
          signing(service.world, root, keyId, '75'),
        ]
        const answers = early.map((sent) => service.send(sent))
        service.useStore(store)
        await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
        amended.isDone = true
        release()
        for (const { status, bug } of await Promise.all(answers)) assert.equal(status, 200, String(bug))
      },
    )
  })

  test('with another host beside it takes what the other has written, and knows nothing of it before it sees it', async () => {
    await withHost(
      (vault) => vault,
      async ({ service, store, people }) => {
        const { root, stranger } = people
        const second = await openServiceOn(store, service.world)
        const before = await store.charter(root.organizationId)
        assert.equal((await second.send(whoami(stranger))).status, 200)
        await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
        assert.equal((await second.send(whoami(stranger))).status, 401)
        // Having seen it, it takes nothing older either.
        second.useStore({ ...store, charter: async () => before })
        assert.equal((await second.send(whoami(stranger))).status, 500)
        // Known, and written down in SECURITY.md: one that has not seen it yet does.
        const third = await openServiceOn(store, service.world)
        third.useStore({ ...store, charter: async () => before })
        assert.equal((await third.send(whoami(stranger))).status, 200)
      },
    )
  })
})

function asked(by: Person, operation: string) {
  return sentBy(by.key, `query/${operation}`, { organizationId: by.organizationId })
}

function whoami(by: Person) {
  return asked(by, 'whoami')
}
