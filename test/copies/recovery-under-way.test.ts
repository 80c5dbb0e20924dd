import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  attemptOf,
  complete,
  heartbeatsOf,
  HOUR,
  passHours,
  REMOVE,
  ATTEMPT,
  SET,
  underWay,
} from '../../src/trusted/activities/organizations/testing/recovery.ts'
import { emptyUnit } from '../../src/trusted/catalogue/unit.ts'
import { RECOVERY_ATTEMPTS } from '../../src/trusted/vault/authentication/directory-entries.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import { newVerifyState } from '../../src/host/copies/verify-state.ts'
import { proveRootKey } from '../../src/host/rotation/root-proof.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { aService } from '../support/service.ts'

const engines: { readonly [engine: string]: () => Promise<Store> } = {
  sqlite: async () => openSqlite({ path: ':memory:' }),
  ...(postgresAvailable()
    ? { postgres: async () => await openPostgres({ url: await freshDatabase() }) }
    : {}),
}

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: data in which a recovery is under way verify, and so do those of after it`, async (t) => {
    await withStore(open, async (store) => {
      const service = await aService({ store })
      t.after(service.close)
      const { vault, world } = service
      await proveRootKey(store, vault, world)
      const { set, attemptId } = await underWay(service)
      await passHours(service, 2)
      assert.deepEqual(await problemsOf(store, vault), [])
      // An entry that is taken away would keep an attempt from being counted.
      const entry = { ...RECOVERY_ATTEMPTS, target: service.organizationId }
      await store.commit({ ...emptyUnit, directory: { put: [], remove: [entry] } })
      assert.match((await problemsOf(store, vault)).join(), /directory/)
      await store.commit({ ...emptyUnit, directory: { put: [entry], remove: [] } })
      await passHours(service, 70)
      await service.done(set.member, SET, complete(attemptId))
      assert.deepEqual(await problemsOf(store, vault), [])
      const other = service.of(await service.newOrganization())
      await underWay(other)
      await service.done(other.root, REMOVE, { name: ATTEMPT })
      assert.deepEqual(await problemsOf(store, vault), [])
    })
  })

  test(`${engine}: two hosts that look at the same time count an hour once`, async (t) => {
    await withStore(open, async (store) => {
      const service = await aService({ store })
      t.after(service.close)
      const other = await aService({ store, seed: 2 })
      t.after(other.close)
      await underWay(service)
      const looks = [service, other].map(({ vault, world }) => heartbeatsOf({ store, vault, world }))
      const look = async () => await Promise.all(looks.map((heartbeats) => heartbeats.look()))
      await look()
      for (let hour = 1; hour <= 4; hour++) {
        service.world.advance(HOUR)
        other.world.advance(HOUR)
        const counted = (await look()).flat()
        assert.deepEqual(counted, [service.organizationId])
        // Both have to be shown what one of them has counted.
        await look()
        assert.equal((await attemptOf(service, service.root)).heartbeats, hour)
      }
    })
  })
}

async function withStore(open: () => Promise<Store>, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await open()
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

async function problemsOf(store: Store, vault: Vault): Promise<readonly string[]> {
  const state = newVerifyState('salt')
  const looking = { state, isWhole: true, pauseAfterRows: 100, paused: async () => {} }
  await verifyRows(snapshotSource(store), vault, looking)
  return state.problems.map(({ what, problem }) => `${what} ${problem}`)
}
