import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { costs } from '../../src/trusted/base/costs.ts'
import { REQUEST_COST_MAX, SLICE, UNPROVEN_COST_MAX } from '../../src/trusted/base/work.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { START } from '../tampering/harness.ts'
import { dearService } from './dear-service.ts'

const store = openSqlite({ path: ':memory:' })
after(() => store.close())
const { requests, turns, whoami } = await dearService(store, START)

/** In units of about a microsecond: what each may cost at most, and less than which it would not be counted. */
const BOUNDS: Readonly<
  Record<string, { readonly status: number; readonly atLeast: number; readonly atMost: number }>
> = {
  // Of what stands in the record before the others are made.
  'a replay by a draft of 1 MiB of policies': { status: 200, atLeast: 500_000, atMost: 1_200_000 },
  'typed data of structs that refer to each other, by nobody': {
    status: 403,
    atLeast: 20_000,
    atMost: 200_000,
  },
  'typed data of structs that refer to each other': { status: 200, atLeast: 400_000, atMost: 900_000 },
  'a draft of 1 MiB of policies': { status: 200, atLeast: 500_000, atMost: 1_200_000 },
  '100 Schnorr signatures': { status: 200, atLeast: 50_000, atMost: 60_000 },
  '1,000 ECDSA signatures': { status: 200, atLeast: 150_000, atMost: 250_000 },
  '1,000 accounts at six levels': { status: 200, atLeast: 900_000, atMost: 1_200_000 },
  '1 MiB of policies by nobody': { status: 403, atLeast: 20_000, atMost: 100_000 },
  'texts of 110,000 characters that are compared': { status: 403, atLeast: 20_000, atMost: 200_000 },
  'a transaction of 700 inputs': { status: 200, atLeast: 100_000, atMost: 300_000 },
  'a transaction of 500 inputs from before segwit': { status: 200, atLeast: 100_000, atMost: 300_000 },
  '1 MiB of escapes by a stranger': { status: 401, atLeast: 1, atMost: 1_000 },
}

/** Of the longest body. */
const BODY_COST = 1_048_576 * costs.bodyCharacter

test('every dear request has its bound here', () => {
  assert.deepEqual(
    requests.map(({ name }) => name),
    Object.keys(BOUNDS),
  )
})

for (const { name, make } of requests) {
  test(`${name}: it costs as much as is stated, and others are judged between`, async () => {
    const bound = BOUNDS[name]
    assert.ok(bound !== undefined, name)
    const before = turns()
    const { status, calls } = await make()
    const cost = calls.reduce((sum, call) => sum + call.cost, 0)
    assert.equal(status, bound.status)
    assert.ok(cost >= bound.atLeast && cost <= bound.atMost, `it cost ${cost}`)
    // A body is read at once, and a step may be longer than a slice; everything else takes a turn for each slice.
    const slices = Math.max(0, Math.floor((cost - BODY_COST) / SLICE))
    assert.ok(turns() - before >= Math.floor(slices / 4), `${turns() - before} turns for ${slices} slices`)
  })
}

test('nobody has more done for them than a little before it is known that something could allow it', async () => {
  const first = requests.find(({ name }) => name.endsWith('by nobody'))
  assert.ok(first !== undefined)
  const { status, calls } = await first.make()
  assert.equal(status, 403)
  for (const { cost } of calls) assert.ok(cost < UNPROVEN_COST_MAX + BODY_COST, `it cost ${cost}`)
})

test('a neighbour is answered while a dear request is under way', async () => {
  const dear = requests.find(({ name }) => name === '1,000 accounts at six levels')
  assert.ok(dear !== undefined)
  const order: string[] = []
  const made = dear.make().then(() => order.push('dear'))
  await whoami().then(() => order.push('neighbour'))
  await made
  assert.deepEqual(order, ['neighbour', 'dear'])
})

test('no bound is above what one request may cost', () => {
  for (const { atMost } of Object.values(BOUNDS)) assert.ok(atMost <= REQUEST_COST_MAX)
})
