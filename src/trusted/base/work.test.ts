import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsByHand } from './testing/turns.ts'
import {
  Pace,
  REQUEST_COST_MAX,
  requestTooCostly,
  SLICE,
  type Steps,
  UNPROVEN_COST_MAX,
  Work,
} from './work.ts'

test('what costs less than a slice never waits', () => {
  const work = new Work(new Pace(async () => {}), 'A')
  work.charge(SLICE - 1)
  assert.equal(work.pause(), undefined)
})

test('after a slice those who wait go on one in each turn, in their order', async () => {
  const { turn, next } = turnsByHand()
  const pace = new Pace(turn)
  const went: string[] = []
  const dear = async (name: string) => {
    const work = new Work(pace, 'A')
    work.charge(SLICE)
    await work.pause()
    work.charge(SLICE)
    went.push(name)
  }
  const all = Promise.all(['first', 'second', 'third'].map(dear))
  for (const expected of [[], ['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    await Promise.resolve()
    assert.deepEqual(went, expected)
    await next()
  }
  await all
  assert.equal(pace.waits, 3)
})

test('a quiet tenant goes on before the rest of what a loud one has waiting', async () => {
  const { turn, next } = turnsByHand()
  const pace = new Pace(turn)
  const went: string[] = []
  const ask = async (flow: string) => {
    const work = new Work(pace, flow)
    const turned = work.pause()
    if (turned !== undefined) await turned
    work.charge(SLICE)
    went.push(flow)
  }
  const loud = Array.from({ length: 10 }, () => ask('loud'))
  await next()
  const quiet = ask('quiet')

  await next()

  assert.deepEqual(went, ['loud', 'loud', 'quiet', 'loud'])
  while (went.length < 11) await next()
  await Promise.all([...loud, quiet])
})

test('small work of quiet tenants does not wait for turns, up to a slice of all between two turns', async () => {
  const { turn, next } = turnsByHand()
  const pace = new Pace(turn)
  new Work(pace, 'loud').charge(SLICE)
  const loud = Array.from({ length: 10 }, async () => {
    const work = new Work(pace, 'loud')
    await work.pause()
    work.charge(SLICE)
  })
  await next()
  const quiet = new Work(pace, 'quiet')

  assert.equal(quiet.goesFirst, true)
  assert.equal(quiet.pause(), undefined)
  quiet.charge(SLICE - 1)
  assert.equal(quiet.pause(), undefined)
  quiet.charge(1)
  const another = new Work(pace, 'another')
  assert.equal(another.goesFirst, false)
  assert.notEqual(another.pause(), undefined)
  while (pace.isBusy) await next()
  await Promise.all(loud)
})

test('long work of a tenant is finished one after the other, and its short work has every other turn', async () => {
  const { turn, next } = turnsByHand()
  const pace = new Pace(turn)
  const went: string[] = []
  const ask = async (name: string, slices: number) => {
    const work = new Work(pace, 'A')
    for (let slice = 0; slice < slices; slice++) {
      const turned = work.pause()
      if (turned !== undefined) await turned
      work.charge(SLICE)
      went.push(name)
    }
  }
  const all = ['X', 'Y', 'Z'].map((name) => ask(name, 3))
  await next()
  const short = ['a', 'b'].map((name) => ask(name, 1))
  while (went.length < 11) await next()
  await Promise.all([...all, ...short])

  // The first slice of each counts as short work, because its length is not known before.
  assert.equal(went.join(''), 'XYXZXaYbYZZ')
})

test('a tenant that was busy while nobody waited does not wait for one that comes now', async () => {
  const { turn, next } = turnsByHand()
  const pace = new Pace(turn)
  for (let at = 0; at < 1000; at++) new Work(pace, 'busy all day').charge(SLICE)
  const went: string[] = []
  const ask = async (flow: string) => {
    const work = new Work(pace, flow)
    await work.pause()
    work.charge(SLICE)
    went.push(flow)
  }
  const all = ['comes now', 'comes now', 'comes now', 'busy all day'].map(ask)

  await next()
  await next()

  assert.deepEqual(went, ['comes now', 'busy all day'])
  while (went.length < 4) await next()
  await Promise.all(all)
})

test('slices are counted over all requests, so that many which are cheap count as one that is dear', () => {
  const pace = new Pace(() => new Promise(() => {}))
  for (let at = 0; at < 10; at++) new Work(pace, 'A').charge(SLICE / 10)
  assert.notEqual(new Work(pace, 'A').pause(), undefined)
})

test('a request ends with a clear failure once it costs more than one request may', () => {
  const work = new Work(new Pace(async () => {}), 'A')
  work.charge(REQUEST_COST_MAX)
  assert.throws(() => work.charge(1), {
    kind: requestTooCostly.kind,
    message: /split it into several requests$/,
  })
})

test('work that a request is not bounded by is counted, and leaves it all that it may cost', async () => {
  const work = new Work(new Pace(async () => {}), 'A')
  work.chargeUnbounded(REQUEST_COST_MAX)
  await work.throughUnbounded([REQUEST_COST_MAX, SLICE].values() as Steps<unknown>)
  assert.equal(work.spent, 2 * REQUEST_COST_MAX + SLICE)
  assert.equal(work.left, REQUEST_COST_MAX)
  let asked = 0
  work.unproven(() => {
    asked += 1
  })
  work.charge(UNPROVEN_COST_MAX)
  assert.equal(asked, 0)
  work.charge(REQUEST_COST_MAX - UNPROVEN_COST_MAX)
  assert.equal(asked, 1)
  assert.throws(() => work.charge(1), { kind: requestTooCostly.kind })
})

test('of whom nothing is proven yet is asked once, when what may be done for anybody is used up', () => {
  const work = new Work(new Pace(async () => {}), 'A')
  let asked = 0
  work.charge(100)
  work.unproven(() => {
    asked += 1
  })
  work.charge(UNPROVEN_COST_MAX)
  assert.equal(asked, 0)
  work.charge(1)
  work.charge(UNPROVEN_COST_MAX)
  assert.equal(asked, 1)

  const stranger = new Work(new Pace(async () => {}), 'A')
  stranger.unproven(() => {
    throw new Error('nothing allows it')
  })
  assert.throws(() => stranger.charge(UNPROVEN_COST_MAX + 1), /nothing allows it/)
})
