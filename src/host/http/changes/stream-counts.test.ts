import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamCounts, type StreamOwner } from './stream-counts.ts'

test('streams are counted by user, by organization, by tenant and by host, and one that ended makes room', () => {
  let made = 0
  const anybody = (): StreamOwner => ({
    userId: `u${made++}`,
    organizationId: `o${made}`,
    tenant: `t${made}`,
  })
  const bounds: readonly (readonly [number, (keyof StreamOwner)[], RegExp])[] = [
    [4, ['userId', 'organizationId', 'tenant'], /a user may have 4 at a time/],
    [32, ['organizationId', 'tenant'], /the users of an organization may have 32/],
    [64, ['tenant'], /an organization and its sub-organizations may have 64/],
    [256, [], /all organizations of a host may have 256/],
  ]
  for (const [max, same, refusal] of bounds) {
    const counts = new StreamCounts()
    const first = anybody()
    const next = (): StreamOwner => ({
      ...anybody(),
      ...Object.fromEntries(same.map((name) => [name, first[name]])),
    })
    const taken = Array.from({ length: max }, () => counts.take(next()))
    assert.throws(() => counts.take(next()), refusal)
    taken[0]?.()
    counts.take(next())
    assert.throws(() => counts.take(next()), refusal)
  }
})
