import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairLru, type Owner } from './fair-lru.ts'

const QUIET = { tenant: 'quiet', organization: 'quiet' }
const LOUD = { tenant: 'loud', organization: 'loud' }

/** An organization of the loud tenant, one of many. */
const ofLoud = (organization: number): Owner => ({ tenant: 'loud', organization: `loud ${organization}` })

/** The names that are still held, of so many in a row. */
function heldOf(lru: FairLru<number>, name: string, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at).filter(
    (at) => lru.tenantOf(`${name} ${at}`) !== undefined,
  )
}

function fill(lru: FairLru<number>, name: string, count: number, ownerOf: (at: number) => Owner): void {
  for (let at = 0; at < count; at++) lru.set(`${name} ${at}`, at, ownerOf(at))
}

test('a tenant with many entries, in one organization or in many, takes no place of another one', () => {
  for (const ownerOf of [() => LOUD, ofLoud, (at: number) => ofLoud(at % 3)]) {
    const lru = new FairLru<number>(10)
    fill(lru, 'quiet', 5, () => QUIET)
    fill(lru, 'loud', 100, ownerOf)
    assert.deepEqual(heldOf(lru, 'quiet', 5), [0, 1, 2, 3, 4])
    assert.deepEqual(heldOf(lru, 'loud', 100), [95, 96, 97, 98, 99])
  }
})

test('a tenant that holds more than its share gives it up to those that come, down to the share', () => {
  const lru = new FairLru<number>(10)
  fill(lru, 'loud', 10, () => LOUD)
  fill(lru, 'quiet', 100, () => QUIET)
  assert.deepEqual(heldOf(lru, 'loud', 10), [5, 6, 7, 8, 9])
  assert.deepEqual(heldOf(lru, 'quiet', 100), [95, 96, 97, 98, 99])
})

test('the largest organization of a tenant takes no place of its others', () => {
  const lru = new FairLru<number>(6)
  fill(lru, 'small', 2, ofLoud)
  fill(lru, 'large', 100, () => LOUD)
  assert.deepEqual(heldOf(lru, 'small', 2), [0, 1])
  assert.deepEqual(heldOf(lru, 'large', 100), [96, 97, 98, 99])
})

test('within an organization the least recently used entry goes first, and among equal tenants that of the one used least recently', () => {
  const own = new FairLru<number>(3)
  fill(own, 'loud', 3, () => LOUD)
  assert.equal(own.get('loud 0'), 0)
  own.set('loud 1', 7, LOUD)
  own.set('loud 3', 3, LOUD)
  assert.deepEqual(heldOf(own, 'loud', 4), [0, 1, 3])
  assert.equal(own.get('loud 1'), 7)

  const each = new FairLru<number>(3)
  fill(each, 'each', 3, (at) => ({ tenant: `${at}`, organization: `${at}` }))
  each.get('each 0')
  fill(each, 'new', 1, () => QUIET)
  assert.deepEqual(heldOf(each, 'each', 3), [0, 2])
})

test('an entry belongs to its newest owner, asking whose it is is no use of it, and values can be deleted', () => {
  const lru = new FairLru<number>(2)
  lru.set('a', 1, LOUD)
  assert.equal(lru.isFull, false)
  lru.set('a', 2, QUIET)
  assert.equal(lru.tenantOf('a'), 'quiet')
  lru.set('b', 3, QUIET)
  assert.equal(lru.isFull, true)
  lru.tenantOf('a')
  lru.set('c', 4, QUIET)
  assert.deepEqual([lru.get('a'), lru.get('b'), lru.get('c')], [undefined, 3, 4])
  assert.equal(
    lru.deleteWhere((value) => value === 4, 1),
    true,
  )
  assert.deepEqual([lru.get('b'), lru.get('c')], [3, undefined])
})

test('no more values are deleted at once than may be, and it is told whether some are left', () => {
  const lru = new FairLru<number>(5)
  fill(lru, 'quiet', 5, () => QUIET)
  assert.equal(
    lru.deleteWhere((value) => value < 3, 2),
    false,
  )
  assert.deepEqual(heldOf(lru, 'quiet', 5), [2, 3, 4])
  assert.equal(
    lru.deleteWhere((value) => value < 3, 2),
    true,
  )
  assert.deepEqual(heldOf(lru, 'quiet', 5), [3, 4])
})

// The property: the same as a model that looks for the largest among all.

type Held = { readonly key: string; value: number; owner: Owner; used: number }

/** The same, by searching. A group counts as used when an entry of it is used, and when its size changes. */
class Model {
  readonly #entriesMax: number
  #time = 0
  #held: Held[] = []
  readonly #used = new Map<string, number>()

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get keys(): readonly string[] {
    return this.#held.map(({ key }) => key).toSorted()
  }

  get(key: string): number | undefined {
    const held = this.#held.find((item) => item.key === key)
    if (held !== undefined) this.#use(held)
    return held?.value
  }

  set(key: string, value: number, owner: Owner): void {
    const known = this.#held.find((item) => item.key === key)
    if (known?.owner.organization === owner.organization) {
      known.value = value
      return this.#use(known)
    }
    this.deleteWhere((item) => item === known)
    const held = { key, value, owner, used: 0 }
    this.#held.push(held)
    this.#use(held)
    if (this.#held.length <= this.#entriesMax) return
    const tenant = this.#largest(this.#held, 'tenant')
    const organization = this.#largest(
      this.#held.filter((item) => item.owner.tenant === tenant),
      'organization',
    )
    const own = this.#held.filter((item) => item.owner.organization === organization)
    const oldest = own.reduce((one, other) => (other.used < one.used ? other : one))
    this.deleteWhere((item) => item === oldest)
  }

  deleteWhere(isOver: (held: Held) => boolean): void {
    for (const held of this.#held.filter(isOver)) {
      this.#held = this.#held.filter((item) => item !== held)
      this.#touch(held)
    }
  }

  #use(held: Held): void {
    this.#touch(held)
    held.used = this.#time
  }

  #touch({ owner }: Held): void {
    this.#time += 1
    this.#used.set(`tenant ${owner.tenant}`, this.#time)
    this.#used.set(`organization ${owner.organization}`, this.#time)
  }

  #largest(held: readonly Held[], kind: keyof Owner): string {
    const sizes = Map.groupBy(held, ({ owner }) => owner[kind])
    const usedAt = (name: string): number => this.#used.get(`${kind} ${name}`) ?? 0
    return [...sizes]
      .map(([name, of]) => ({ name, size: of.length, used: usedAt(name) }))
      .reduce((one, other) =>
        other.size > one.size || (other.size === one.size && other.used < one.used) ? other : one,
      ).name
  }
}

const keys = fc.integer({ min: 0, max: 15 }).map(String)
/** Each organization is of one tenant. */
const owners = fc
  .integer({ min: 0, max: 7 })
  .map((at) => ({ tenant: `${at % 3}`, organization: `${at % 3} ${at}` }))
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('set' as const), key: keys, owner: owners }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('get' as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('deleteWhere' as const), under: fc.nat(80) }) },
)

test('whatever is done, the same is held as by a model that searches all entries', () => {
  fc.assert(
    fc.property(
      fc.array(steps, { minLength: 40, maxLength: 80 }),
      fc.integer({ min: 1, max: 9 }),
      (done, entriesMax) => {
        const lru = new FairLru<number>(entriesMax)
        const model = new Model(entriesMax)
        for (const [value, step] of done.entries()) {
          if (step.does === 'set') {
            lru.set(step.key, value, step.owner)
            model.set(step.key, value, step.owner)
          } else if (step.does === 'get') assert.equal(lru.get(step.key), model.get(step.key))
          else {
            lru.deleteWhere((item) => item < step.under, 16)
            model.deleteWhere((item) => item.value < step.under)
          }
          const held = Array.from({ length: 16 }, (_, key) => String(key)).filter(
            (key) => lru.tenantOf(key) !== undefined,
          )
          assert.deepEqual(held.toSorted(), model.keys)
        }
      },
    ),
    { numRuns: 500 },
  )
})
