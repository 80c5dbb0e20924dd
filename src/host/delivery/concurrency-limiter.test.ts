import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers } from '../outside/testing/timers.ts'
import { concurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts'

const LIMITS: ConcurrencyLimits = {
  total: 100,
  perPlace: 100,
  perTenant: 100,
  slow: 100,
  patienceMs: 15_000,
  waits: 100,
}

/** A limiter whose attempts the test ends itself. */
function aLimiter(limits: Partial<ConcurrencyLimits>) {
  let now = 0
  const limiter = concurrencyLimiter(
    { ...LIMITS, ...limits },
    () => now,
    turnedTimers(() => now),
  )
  const events: string[] = []
  const enter = (
    name: string,
    slot: { place?: string; placeMax?: number; tenant?: string; organization?: string } = {},
  ) => {
    const { place = 'place', tenant = 'tenant', organization = tenant } = slot
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const result = limiter.enter({ ...slot, place, tenant, organization }, () => {
      events.push(`${name} in`)
      return promise
    })
    const ended = result.then(
      (outcome) => events.push(`${name} ${outcome ?? 'out'}`),
      () => events.push(`${name} rejected`),
    )
    return {
      end: async () => (resolve('done'), await ended),
      reject: async () => (reject(new Error('a bug')), await ended),
    }
  }
  /** What has happened since the last call. */
  const told = async (): Promise<readonly string[]> => {
    await new Promise((resolve) => setImmediate(resolve))
    return events.splice(0)
  }
  return { enter, told, advance: (ms: number) => (now += ms) }
}

test('of too many waits the newest ends, of the organization with the most, of the tenant with the most', async () => {
  const { enter, told } = aLimiter({ total: 1, waits: 8 })
  enter('first')
  for (const at of [1, 2, 3, 4]) enter(`alone ${at}`, { tenant: 'alone' })
  for (const at of [1, 2, 3]) enter(`a ${at}`, { tenant: 'shared', organization: 'a' })
  enter('b 1', { tenant: 'shared', organization: 'b' })
  assert.deepEqual(await told(), ['first in'])

  enter('b 2', { tenant: 'shared', organization: 'b' })
  assert.deepEqual(await told(), ['a 3 out'])
  enter('quiet', { tenant: 'quiet' })
  assert.deepEqual(await told(), ['alone 4 out'])
})

test('an attempt that fails with an exception leaves its room to the next one', async () => {
  const { enter, told } = aLimiter({ total: 1 })
  const first = enter('first')
  const second = enter('second')
  await first.reject()
  assert.deepEqual(await told(), ['first in', 'second in', 'first rejected'])
  await second.reject()
  enter('third', { place: 'other', tenant: 'other' })
  assert.deepEqual(await told(), ['second rejected', 'third in'])
})

test('a place is slow by its last attempt, and slow places leave the rest of the room to others', async () => {
  const { enter, told, advance } = aLimiter({ slow: 1 })
  for (const place of ['one', 'two']) {
    const { end } = enter('slow', { place })
    advance(2_000)
    await end()
  }
  await told()
  const one = enter('one', { place: 'one' })
  const two = enter('two', { place: 'two' })
  enter('quick', { place: 'three' })
  assert.deepEqual(await told(), ['one in', 'quick in'])
  // It was quick this time.
  await one.end()
  assert.deepEqual(await told(), ['two in', 'one done'])
  enter('one again', { place: 'one' })
  enter('two again', { place: 'two' })
  assert.deepEqual(await told(), ['one again in'])
  await two.end()
  assert.deepEqual(await told(), ['two again in', 'two done'])
})

test('the room of slow places is given back, also where a place turned quick during the attempt', async () => {
  const { enter, told, advance } = aLimiter({ slow: 2 })
  for (const place of ['one', 'two']) {
    const { end } = enter('slow', { place })
    advance(2_000)
    await end()
  }
  const [quick, slow] = [enter('quick', { place: 'one' }), enter('slow', { place: 'one' })]
  await quick.end()
  advance(2_000)
  await slow.end()
  await told()
  enter('one', { place: 'one' })
  enter('two', { place: 'two' })
  assert.deepEqual(await told(), ['one in', 'two in'])
  enter('two again', { place: 'two' })
  assert.deepEqual(await told(), [])
})

test('a destination that takes fewer at once than others has no more, and those that wait come in by their turn', async () => {
  const { enter, told } = aLimiter({ perPlace: 3 })
  const small = { place: 'small', placeMax: 2 }
  const [first] = ['s1', 's2', 's3', 's4'].map((name) => enter(name, small))
  enter('quiet', { ...small, tenant: 'quiet' })
  for (const name of ['w1', 'w2', 'w3', 'w4']) enter(name, { placeMax: 9 })
  assert.deepEqual(await told(), ['s1 in', 's2 in', 'w1 in', 'w2 in', 'w3 in'])

  await first?.end()
  assert.deepEqual(await told(), ['quiet in', 's1 done'])
})
