import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { networkOf } from './address-network.ts'
import {
  type LimitKind,
  openRateLimits,
  type RateLimitSettings,
  rateLimitDefaults,
  TooManyRequests,
  UNITS_PER_REQUEST,
} from './rate-limits.ts'

function limitsOf(settings: Partial<RateLimitSettings>) {
  let now = 1_000_000
  const limited: LimitKind[] = []
  const limits = openRateLimits({
    settings: { ...rateLimitDefaults, ...settings },
    world: { elapsed: () => now },
    onLimited: (kind) => limited.push(kind),
  })
  const passes = (act: () => void): boolean => {
    try {
      act()
      return true
    } catch (error) {
      assert.ok(error instanceof TooManyRequests)
      return false
    }
  }
  return {
    limits,
    limited,
    passes,
    advance: (ms: number) => {
      now += ms
    },
    arrivals: (count: number, address: string) =>
      Array.from({ length: count }, () => passes(() => limits.arrive('address', address))).filter(Boolean)
        .length,
  }
}

test('an address may use five seconds of its rate at once, and then as much as comes in', () => {
  const { arrivals, advance, limited } = limitsOf({ address: 10 })
  assert.equal(arrivals(80, '198.51.100.1'), 50)
  assert.equal(limited.length, 30)
  advance(1000)
  assert.equal(arrivals(80, '198.51.100.1'), 10)
  advance(3_600_000)
  assert.equal(arrivals(80, '198.51.100.1'), 50)
  assert.equal(arrivals(1, '198.51.100.2'), 1)
})

test('the addresses of one IPv6 subscriber are one, and those of another are not', () => {
  const { arrivals } = limitsOf({ address: 1 })
  const many = Array.from({ length: 40 }, (_, index) => `2001:db8:1:2::${index.toString(16)}`)
  assert.equal(many.filter((address) => arrivals(1, address) === 1).length, 5)
  assert.equal(arrivals(1, '2001:db8:1:3::1'), 1)
})

test('what is not an address shares one bucket', () => {
  const { arrivals } = limitsOf({ address: 1 })
  assert.equal(arrivals(3, 'unknown') + arrivals(3, '') + arrivals(3, '1.2.3'), 5)
})

test('two IPv6 addresses are one network exactly when their first 64 bits are the same', () => {
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  const written = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, fc.boolean(), (item, other, sameNetwork) => {
      const second = sameNetwork ? [...item.slice(0, 4), ...other.slice(4)] : other
      const block = new BlockList()
      block.addSubnet(written(item), 64, 'ipv6')
      // The URL parser writes an address in its shortest form.
      const short = new URL(`http://[${written(second)}]`).hostname.slice(1, -1)
      assert.equal(networkOf(short) === networkOf(written(item)), block.check(short, 'ipv6'))
    }),
  )
  assert.equal(networkOf('1::198.51.100.1'), '1:0:0:0::/64')
  assert.equal(networkOf('::'), '0:0:0:0::/64')
})

test('asking takes nothing: only what is charged counts, and more than there was is owed', () => {
  const { limits, passes, advance } = limitsOf({ credential: 2 })
  const credential = 'key'
  for (let i = 0; i < 100; i++) assert.ok(passes(() => limits.check({ credential })))
  for (let i = 0; i < 14; i++) limits.charge({ credential })
  assert.equal(
    passes(() => limits.check({ credential })),
    false,
  )
  advance(2000)
  assert.equal(
    passes(() => limits.check({ credential })),
    false,
  )
  advance(500)
  assert.ok(passes(() => limits.check({ credential })))
})

test('what is owed has an end', () => {
  const { limits, passes, advance } = limitsOf({ organization: 1 })
  for (let i = 0; i < 10_000; i++) limits.charge({ organization: 'o' })
  advance(50_000)
  assert.ok(!passes(() => limits.check({ organization: 'o' })))
  advance(1000)
  assert.ok(passes(() => limits.check({ organization: 'o' })))
})

test('what costs as much as many requests counts as many, and what costs less counts as one', () => {
  const { limits, passes, arrivals } = limitsOf({ credential: 2, address: 2 })
  const credential = 'key'
  limits.charge({ credential }, UNITS_PER_REQUEST / 10)
  limits.charge({ credential }, 8 * UNITS_PER_REQUEST)
  assert.ok(passes(() => limits.check({ credential })))
  limits.charge({ credential }, UNITS_PER_REQUEST)
  assert.ok(!passes(() => limits.check({ credential })))

  assert.equal(arrivals(1, '198.51.100.1'), 1)
  limits.chargeAddress('198.51.100.1', UNITS_PER_REQUEST)
  limits.chargeAddress('198.51.100.1', 9 * UNITS_PER_REQUEST)
  assert.equal(arrivals(1, '198.51.100.1'), 1)
  assert.equal(arrivals(1, '198.51.100.1'), 0)
})

test('a mailbox is written to so often in an hour for one asker, and twice as often for all', () => {
  const { limits, passes, advance, limited } = limitsOf({ contact: 3 })
  const send = (asker: string, mailbox = 'ada@example.com') =>
    passes(() => limits.write({ asker, mailboxes: [mailbox] }))
  const four = (asker: string) => [send(asker), send(asker), send(asker), send(asker)]
  assert.deepEqual(four('one'), [true, true, true, false])
  assert.deepEqual(four('two'), [true, true, true, false])
  assert.equal(send('three'), false)
  assert.equal(send('three', 'ben@example.com'), true)
  advance(1_200_000)
  assert.deepEqual([send('one'), send('one'), send('three'), send('two')], [true, false, true, false])
  assert.deepEqual(new Set(limited), new Set(['contact']))
})

test('a request that names a mailbox more often than is left takes nothing, and what is given back is there again', () => {
  const { limits, passes } = limitsOf({ contact: 3 })
  const send = (count: number) => limits.write({ asker: 'one', mailboxes: Array(count).fill('a@b.example') })
  assert.equal(
    passes(() => send(4)),
    false,
  )
  const undo = send(2)
  assert.equal(
    passes(() => send(2)),
    false,
  )
  undo()
  assert.equal(
    passes(() => send(3)),
    true,
  )
})

test('a limit of infinity is none', () => {
  const { arrivals } = limitsOf({ address: Number.POSITIVE_INFINITY })
  assert.equal(arrivals(10_000, '198.51.100.1'), 10_000)
})

test('a flood of addresses is forgotten again, oldest first', () => {
  const { arrivals } = limitsOf({ address: 1 })
  assert.equal(arrivals(6, '198.51.100.1'), 5)
  for (let i = 0; i < 50_000; i++) arrivals(1, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  assert.equal(arrivals(6, '198.51.100.1'), 5)
})
