import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { defineQuery, type Query } from '../../src/trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../src/trusted/catalogue/shape.ts'
import { wallets } from '../../src/trusted/objects/wallet.ts'
import { queries } from '../../src/host/queries/list.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { aService, type JsonAnswer, type TestService } from '../support/service.ts'
import { countingStore } from './counting-store.ts'
import { outside } from './identities.ts'
import { preparedQuery } from './query-fixtures.ts'
import { aWallet } from './things.ts'

/** Two charters, what was asked for, and what a look-up by a name takes. */
const ROWS_FOR_ONE = 5
/** An entry of an answer is found by an entry of an index, and then read. */
const ROWS_FOR_EACH = 2
/** Of each kind, beside what is asked about: more than a query of one thing may read. */
const CROWD = 4 * ROWS_FOR_ONE

const sqlite = openSqlite({ path: ':memory:' })
const { store, counted } = countingStore(sqlite)
const greedy: Query = defineQuery({
  operation: 'planted_greedy',
  summary: 'Reads every wallet to tell of one',
  request: object({ organizationId: organizationIdText, walletId: uuid }),
  response: object({ walletId: uuid }),
  example: { walletId: '0198c5a0-7d3c-7000-8000-000000000001' },
  answer: async ({ walletId }, { objects }) => ({
    walletId: present(
      (await objects(wallets)).find((wallet) => wallet.walletId === walletId)?.walletId,
      'it',
    ),
  }),
})
const service = await aService({ store, outside, queries: [...queries, greedy] })
after(async () => {
  await service.close()
  await sqlite.close()
})

for (const query of queries)
  test(`${query.operation}: it reads no more rows than its answer needs`, async () => {
    await readsNoMoreThanItAnswers(query)
  })

test('a query that reads all rows of a kind to tell of one is seen', async () => {
  await assert.rejects(readsNoMoreThanItAnswers(greedy), /rows for an answer with 0 entries/)
})

async function readsNoMoreThanItAnswers(query: Query): Promise<void> {
  service.world.advance(2 * DAY_MS)
  const by = await service.newOrganization()
  const own = service.of(by)
  await crowd(own)
  const parameters = await preparedQuery({ service: own, by }, query)
  counted.rows = 0
  const { status, json, text } = await own.query(by, query.operation, parameters)
  const { rows } = counted
  assert.equal(status, 200, text)
  const entries = entriesOf(json)
  const most = ROWS_FOR_ONE + ROWS_FOR_EACH * entries
  assert.ok(rows <= most, `${rows} rows for an answer with ${entries} entries, which may take ${most}`)
}

const DAY_MS = 24 * 60 * 60 * 1000

/** What the organization has besides. */
async function crowd(own: TestService): Promise<void> {
  const setting = { service: own, by: own.root }
  const numbers = Array.from({ length: CROWD }, (_, number) => number)
  for (const number of numbers) await aWallet(setting, `Wallet ${number}`)
  await own.done(own.root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: numbers.map((number) => ({
      privateKeyName: `Key ${number}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: [],
    })),
  })
}

/** How long its lists are, those of the things in it included. */
function entriesOf(answer: JsonAnswer): number {
  return Object.values(answer)
    .flatMap((part) => (Array.isArray(part) ? [part] : Object.values(part ?? {})))
    .reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : 0), 0)
}
