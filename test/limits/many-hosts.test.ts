import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import type { Store } from '../../src/host/store/store.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Service, START } from '../tampering/harness.ts'
import type { Person } from '../tampering/populated.ts'
import { spend, type Spending, spending } from './spending.ts'

// Several hosts, each with a vault and connections of its own, on one database. Nothing but the database is shared
// between them.

const skip = postgresAvailable() ? false : postgresMissing
const HOSTS = 4
const EACH = 40

const opened: Store[] = []
after(async () => {
  for (const store of opened) await store.close()
})
const { hosts, people } = skip === false ? await someHosts(HOSTS) : { hosts: [], people: undefined }

async function someHosts(
  count: number,
): Promise<{ readonly hosts: readonly Service[]; readonly people: Spending }> {
  const url = await freshDatabase()
  const world = testWorld(1, START)
  const started: Service[] = []
  for (let at = 0; at < count; at++) {
    const store = await openPostgres({ url })
    opened.push(store)
    started.push(await openServiceOn(store, world))
  }
  const [first, store] = [started[0], opened[0]]
  if (first === undefined || store === undefined) throw new Error('there is a first host')
  return { hosts: started, people: await spending(first, store) }
}

let nonce = 0

/** So many requests to each host at once; how many were carried out. */
async function spentAtOnce(
  by: Person,
  signWith: (at: number) => string,
  values: readonly bigint[],
  each = EACH,
): Promise<number> {
  const all = hosts.flatMap((host) =>
    Array.from({ length: each }, (_, at) => () => {
      nonce += values.length
      return spend(host, by, { signWith: signWith(at), values, nonce })
    }),
  )
  const statuses = await Promise.all(all.map((item) => item()))
  return statuses.filter((status) => status === 200).length
}

test('a limit is met exactly by many hosts at once, never exceeded, and nobody is told of an internal error', {
  skip,
}, async () => {
  if (people === undefined) return
  const [ada, account] = [await people.user('Ada'), await people.account()]
  await people.policy(
    'EFFECT_ALLOW',
    `wallet_account.address == '${account}' && usage.sum(eth.tx.value, '24h', wallet_account.address) <= 300`,
  )
  assert.equal(await spentAtOnce(ada, () => account, [3n]), 100)
  assert.equal(await spentAtOnce(ada, () => account, [1n], 1), 0)
  hosts[0]?.world.advance(25 * 60 * 60 * 1000)
  assert.equal(await spentAtOnce(ada, () => account, [3n], 30), 100)
})

test('several payloads of one request count whole on every host', { skip }, async () => {
  if (people === undefined) return
  const [ben, account] = [await people.user('Ben'), await people.account()]
  await people.policy(
    'EFFECT_ALLOW',
    `wallet_account.address == '${account}' && usage.sum(eth.tx.value, '24h', wallet_account.address) <= 300`,
  )
  assert.equal(await spentAtOnce(ben, () => account, [5n, 4n, 1n], 20), 30)
  assert.equal(await spentAtOnce(ben, () => account, [1n], 1), 0)
})

test('two policies that ask one meter have it counted once, and two windows are two limits', {
  skip,
}, async () => {
  if (people === undefined) return
  const [cyd, account] = [await people.user('Cyd'), await people.account()]
  const own = `wallet_account.address == '${account}'`
  const sum = (window: string) => `usage.sum(eth.tx.value, '${window}', wallet_account.address)`
  await people.policy('EFFECT_ALLOW', `${own} && ${sum('24h')} <= 100`)
  await people.policy('EFFECT_DENY', `${own} && ${sum('1d')} > 90`)
  await people.policy('EFFECT_DENY', `${own} && ${sum('1h')} > 50`)
  const spent = async () => await spentAtOnce(cyd, () => account, [1n], 20)
  const world = hosts[0]?.world
  assert.equal(await spent(), 50)
  world?.advance(62 * 60 * 1000)
  assert.equal(await spent(), 40)
  world?.advance(62 * 60 * 1000)
  assert.equal(await spent(), 0)
  world?.advance(24 * 60 * 60 * 1000)
  assert.equal(await spent(), 50)
})

test('what is counted apart is used up apart, and what is counted together together', { skip }, async () => {
  if (people === undefined) return
  const dan = await people.user('Dan')
  const accounts = [
    await people.account(),
    await people.account(),
    await people.account(),
    await people.account(),
  ]
  await people.policy(
    'EFFECT_ALLOW',
    `wallet_account.address in ${JSON.stringify(accounts).replaceAll('"', "'")} && usage.sum(eth.tx.value, '24h', wallet_account.address) <= 20 && usage.count('24h', usage.user) <= 60`,
  )
  assert.equal(await spentAtOnce(dan, (at) => accounts[at % 4] ?? '', [1n]), 60)
})
