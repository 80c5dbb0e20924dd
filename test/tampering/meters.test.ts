import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bug, present } from '../../src/trusted/base/assert.ts'
import { emptyUnit, type ObjectRow } from '../../src/trusted/catalogue/unit.ts'
import { nextPage, PASS_END } from '../../src/host/rotation/pass.ts'
import type { PassCount } from '../../src/protocol/vault.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { Tampered } from '../../src/trusted/vault/seals/seals.ts'
import { spend, type Spending, spending, transfer } from '../limits/spending.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Outcome, type Service, START } from './harness.ts'
import { type Person, submission } from './populated.ts'

// What someone may do to limits who can write whatever they like to the rows of meters, and may sign, but has not the
// root key.

const HOUR = 60 * 60 * 1000

let store: Store
let service: Service
let people: Spending
let ada: Person
let account: string

meterTest('a meter whose count was changed by hand is a bug to report, whatever was changed', async () => {
  await spent(60n)
  const row = await theMeter()
  for (const changed of [
    { ...row, body: row.body.replace('"60"', '"10"') },
    { ...row, body: row.body.replace('"revision":1', '"revision":2') },
    { ...row, body: row.body.replace('"windowMs":86400000', '"windowMs":1') },
  ]) {
    assert.notEqual(changed.body, row.body)
    await put(changed)
    assert.ok((await tried(50n)).bug instanceof Tampered)
  }
  await put(row)
  assert.equal((await tried(50n)).status, 403)
  await spent(40n)
})

meterTest('the row of one meter is of no use to another', async () => {
  const another = await people.account()
  await spent(60n)
  await spent(1n, another)
  const [one, two] = await meters()
  assert.ok(one !== undefined && two !== undefined)
  await put({ ...one, body: two.body, seal: two.seal })
  await put({ ...two, body: one.body, seal: one.seal })
  assert.ok((await tried(1n)).bug instanceof Tampered)
  assert.ok((await tried(1n, another)).bug instanceof Tampered)
})

meterTest('a meter that was seen is not put back to what it was', async () => {
  await spent(60n)
  const older = await theMeter()
  await spent(30n)
  assert.equal((await tried(20n)).status, 403)
  await put(older)
  assert.equal((await tried(20n)).status, 403)
  assertNotTaken(await tried(1n))
  await remove(older)
  assertNotTaken(await tried(20n))
})

meterTest(
  'a limit counts on when its meter is sealed under a newer version, and an older count is not sealed anew',
  async () => {
    await spent(30n)
    const older = await theMeter()
    await spent(30n)
    const newest = await theMeter()
    const versions = [9, 8].map((byte, at) => ({
      version: at + 1,
      secret: new Secret(new Uint8Array(32).fill(byte)),
    }))
    service.keyring.adopt({ versions, seals: 2, service: [] })
    await put(older)
    assert.match((await pass()).join(), /older than the vault has seen it: row usage_meter/)
    assert.deepEqual(await theMeter(), older)
    await put(newest)
    // Requests and resealing meet at the same row, in any order.
    const [troubles, ...outcomes] = await Promise.all([
      pass(),
      ...[1n, 2n, 3n, 4n].map((value) => tried(value)),
    ])
    assert.deepEqual(troubles, [])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.match((await theMeter()).seal, /^2\.2\./)
    await spent(20n)
    assert.equal((await tried(20n)).status, 403)
    await put(newest)
    assert.equal((await tried(20n)).status, 403)
    assertNotTaken(await tried(1n))
  },
)

meterTest('a use that was just written cannot be taken back either', async () => {
  await spent(60n)
  const first = await theMeter()
  await spent(30n)
  await put(first)
  assertNotTaken(await tried(1n))
  await remove(first)
  assertNotTaken(await tried(20n))
})

meterTest('a meter that was removed after its very first use is missed', async () => {
  await spent(60n)
  await remove(await theMeter())
  assert.equal((await tried(50n)).status, 403)
  assertNotTaken(await tried(1n))
  assertNotTaken(await tried(50n))
})

meterTest('the newest row is taken again when it is there again', async () => {
  await spent(60n)
  const older = await theMeter()
  await spent(30n)
  const newest = await theMeter()
  await put(older)
  assertNotTaken(await tried(5n))
  await put(newest)
  await spent(10n)
  assert.equal((await tried(1n)).status, 403)
})

meterTest(
  'a meter that everything has left may be swept away, and what it counts from then on is kept as well',
  async () => {
    for (let at = 0; at < 5; at++) await spent(20n)
    const full = await theMeter()
    service.world.advance(26 * HOUR)
    assert.ok((full.expiresAt ?? 0) <= service.world.now())
    await remove(full)
    await spent(60n)
    const again = await theMeter()
    await spent(30n)
    assert.equal((await tried(20n)).status, 403)
    await put(again)
    assertNotTaken(await tried(1n))
  },
)

// Known, and written down in SECURITY.md.
meterTest('after a restart an older meter is taken for the newest, and no row for nothing used', async () => {
  await spent(60n)
  const older = await theMeter()
  await spent(40n)
  await put(older)
  service = await openServiceOn(store, service.world)
  await spent(40n)
  await remove(older)
  service = await openServiceOn(store, service.world)
  await spent(100n)
})

let nonce = 0

async function spent(value: bigint, signWith = account): Promise<void> {
  assert.equal(await spend(service, ada, { signWith, values: [value], nonce: nonce++ }), 200)
}

async function tried(value: bigint, signWith = account): Promise<Outcome> {
  const type = 'TRANSACTION_TYPE_ETHEREUM'
  const unsignedTransaction = transfer(value, nonce++)
  const parameters = { signWith, type, unsignedTransaction }
  return await service.send(submission(service.world, ada, 'SIGN_TRANSACTION_V2', parameters))
}

function assertNotTaken({ status, text, bug }: Outcome): void {
  assert.equal(status, 500, text)
  assert.ok(bug instanceof Bug)
  assert.match(bug.message, /^stored data is older than the vault has seen it: row usage_meter/)
}

/** Seals all rows anew; what could not be. */
async function pass(): Promise<readonly string[]> {
  const troubles: string[] = []
  let count: PassCount | undefined
  do {
    const page = await nextPage({ store, vault: service.vault }, { pass: 'a pass', count, to: 2 })
    count = present(page.count, 'the same pass')
    troubles.push(...page.troubles)
  } while (count.place !== PASS_END)
  return troubles
}

async function meters(): Promise<readonly ObjectRow[]> {
  return await store.objectsOfKind(people.root.organizationId, 'usage_meter', { limit: 10 })
}

async function theMeter(): Promise<ObjectRow> {
  return present((await meters())[0], 'a meter')
}

async function put(row: ObjectRow): Promise<void> {
  await store.commit({ ...emptyUnit, objects: { put: [row], remove: [] } })
}

async function remove(row: ObjectRow): Promise<void> {
  await store.commit({ ...emptyUnit, objects: { put: [], remove: [row] } })
}

/** Each has a store of its own, with a limit of 100 in a day. */
function meterTest(promise: string, body: () => Promise<void>): void {
  test(promise, async () => {
    store = openSqlite({ path: ':memory:' })
    try {
      service = await openServiceOn(store, testWorld(1, START))
      people = await spending(service, store)
      ada = await people.user('Ada')
      account = await people.account()
      await people.policy('EFFECT_ALLOW', "usage.sum(eth.tx.value, '24h', wallet_account.address) <= 100")
      await body()
    } finally {
      await store.close()
    }
  })
}
