import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { LOOK_MS, startRotation } from '../../src/host/rotation/rotation.ts'
import { LEASE_MS, resealStep } from '../../src/host/rotation/reseal-step.ts'
import { orderResealing, readResealing } from '../../src/host/rotation/resealing-note.ts'
import { ROOT_PROOF_NOTE } from '../../src/host/copies/root-proof-note.ts'
import { SEALED_TABLES } from '../../src/host/store/resealing.ts'
import type { Store } from '../../src/host/store/store.ts'
import { rootVersionOf } from '../../src/trusted/vault/keys/seal-text.ts'
import { eventually } from '../support/eventually.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { type Database, engines } from '../tampering/database.ts'
import type { Service } from '../tampering/harness.ts'
import { populate, signing } from '../tampering/populated.ts'

const versions = [9, 8].map((byte, at) => ({
  version: at + 1,
  secret: new Secret(new Uint8Array(32).fill(byte)),
}))

const PAGE_MS = 100

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false
  describe(engine, { skip }, () => {
    const setting = async (t: TestContext) => {
      const database = await open()
      t.after(database.close)
      const people = await populate(database.service, database.store())
      const other = await database.another()
      for (const { keyring } of [database.service, other]) keyring.adopt({ versions, seals: 2, service: [] })
      await orderResealing(database.store(), 'an order', database.service.world.now())
      return { database, other, people }
    }

    test('a host that stops is followed by another, which goes on where it was', async (t) => {
      const { database, other } = await setting(t)
      const { service } = database
      let pages = 0
      const stopped = await step(database, service, 'a', { isStopped: () => pages++ > 1 })
      assert.equal(stopped?.standing.state, 'running')
      const rows = present(stopped?.standing.count, 'a count').rows
      assert.ok(rows > 0)
      // As long as it may still be at it, nobody else is.
      assert.equal(await step(database, other, 'b'), undefined)
      service.world.advance(LEASE_MS + 1)
      const first = await step(database, other, 'b')
      assert.equal(first?.standing.passes, 1)
      assert.ok(present(first.standing.last, 'a count').rows > rows)
      assert.deepEqual((await step(database, other, 'b'))?.standing.state, 'done')
      assert.deepEqual(await versionsIn(database.store()), [2])
      assert.equal(await step(database, service, 'a'), undefined)
    })

    test('what is interrupted at any write is taken up again, and everything is sealed in the end', async (t) => {
      const { database, people } = await setting(t)
      const { service } = database
      let isDone = false
      for (let writes = 0; !isDone && writes < 50; writes++) {
        const store = failingAfter(database.store(), writes)
        isDone = await step(database, service, `host ${writes}`, { store }).then(
          (done) => done?.standing.state === 'done',
          () => false,
        )
        service.world.advance(LEASE_MS + 1)
        assert.equal(
          (await service.send(signing(service.world, people.root, people.keyId, '70'))).status,
          200,
        )
      }
      assert.ok(isDone)
      assert.deepEqual(await versionsIn(database.store()), [2])
      assert.equal(rootVersionOf((await database.store().note(ROOT_PROOF_NOTE))?.split(' ')[1] ?? ''), 2)
    })

    test('hosts that reseal at the same time do not get in the way of each other or of requests', async (t) => {
      const { database, other, people } = await setting(t)
      const { service } = database
      const signed = async (host: Service, payload: string): Promise<number> =>
        (await host.send(signing(service.world, people.root, people.keyId, payload))).status
      const rests = { rest: async () => service.world.advance(LEASE_MS + 1) }
      for (let round = 0; (await readResealing(database.store()))?.standing.state !== 'done'; round++) {
        assert.ok(round < 20)
        const work = [service, other].map((host, at) => step(database, host, `host ${at}`, rests))
        const statuses = await Promise.all([
          signed(service, `8${round % 10}`),
          signed(other, `9${round % 10}`),
        ])
        assert.deepEqual(statuses, [200, 200])
        await Promise.all(work)
      }
      assert.deepEqual(await versionsIn(database.store()), [2])
    })

    test('after each page a host rests three times as long as the page has taken', async (t) => {
      const { database } = await setting(t)
      const { vault, world } = database.service
      let time = world.now()
      let pages = 0
      const rests: number[] = []
      const rotation = startRotation({
        store: database.store(),
        vault: {
          ...vault,
          reseal: async (page) => {
            pages += 1
            time += PAGE_MS
            return await vault.reseal(page)
          },
        },
        now: () => time,
        timers: {
          after: (ms, run) => {
            if (ms === LOOK_MS) return () => {}
            if (ms > 0) rests.push(ms)
            time += ms
            setImmediate(run)
            return () => {}
          },
        },
        host: { id: 'a', name: 'a' },
        onEvent: () => {},
        onTrouble: (error) => assert.ifError(error),
      })
      await eventually(async () => (await readResealing(database.store()))?.standing.state === 'done')
      await rotation.stop()
      assert.ok(pages > 2)
      // A page without rows to be sealed is read, and no work of the vault.
      assert.equal(rests.filter((ms) => ms === 3 * PAGE_MS).length, pages)
    })

    test('a row that nobody sealed stays, is named, and keeps the order from being called done', async (t) => {
      const { database } = await setting(t)
      const row = {
        organizationId: 'org',
        kind: 'private_key',
        objectId: 'planted',
        body: '{}',
        expiresAt: null,
      }
      await database.rows(
        "INSERT INTO objects (organization_id, kind, object_id, body, seal) VALUES ($1, $2, $3, $4, '2.1.AAAA')",
        row.organizationId,
        row.kind,
        row.objectId,
        row.body,
      )
      let state = 'running'
      let troubles: readonly string[] = []
      while (state === 'running') {
        const { standing } = present(await step(database, database.service, 'a'), 'a step')
        ;({ state, troubles } = standing)
      }
      assert.equal(state, 'stuck')
      assert.match(troubles.join(), /does not carry the vault's seal: private_key planted/)
    })
  })
}

async function step(
  database: Database,
  { vault, world }: Service,
  by: string,
  means: Partial<Parameters<typeof resealStep>[0]> = {},
) {
  const rest = async (): Promise<void> => {}
  const store = database.store()
  return await resealStep({ store, vault, now: world.now, by, rest, isStopped: () => false, ...means })
}

/** A store that takes so many writes of resealing, and then fails as a process that is killed does. */
function failingAfter(store: Store, writes: number): Store {
  let left = writes
  const counted = <A extends unknown[], T>(write: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      if (left-- <= 0) throw new Error('killed')
      return await write(...args)
    }
  }
  return { ...store, reseal: counted(store.reseal), replaceNote: counted(store.replaceNote) }
}

async function versionsIn(store: Store): Promise<readonly (number | undefined)[]> {
  const seals: (string | null)[] = []
  for (const table of SEALED_TABLES) {
    let after: Awaited<ReturnType<Store['scan']>>['last']
    do {
      const page = await store.scan(table, { limit: 100, after })
      seals.push(...page.rows.map(({ seal }) => seal))
      after = page.last
    } while (after !== undefined)
  }
  return [...new Set(seals.filter((seal) => seal !== null).map(rootVersionOf))]
}
