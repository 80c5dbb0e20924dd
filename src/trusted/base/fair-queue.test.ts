import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairQueue } from './fair-queue.ts'

function filled(items: readonly (readonly [flow: string, count: number])[]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const [flow, count] of items) for (let i = 0; i < count; i++) queue.push(flow, flow)
  return queue
}

/** Takes so many, each of this cost. */
function taken(queue: FairQueue<string>, count: number, costOf: (flow: string) => number = () => 1): string {
  let flows = ''
  for (let i = 0; i < count; i++) {
    const flow = queue.shift()
    if (flow === undefined) break
    queue.charge(flow, costOf(flow))
    flows += flow
  }
  return flows
}

test('one item of a quiet flow is next, however many a loud one has put in before', () => {
  const queue = filled([['L', 1000]])
  taken(queue, 500)

  queue.push('Q', 'Q')

  assert.match(taken(queue, 2), /Q/)
})

test('the next item of a flow is first only if less was served to it than to each that waits', () => {
  const queue = filled([['L', 10]])
  taken(queue, 5)

  assert.equal(queue.wouldBeNext('Q'), true)
  assert.equal(queue.wouldBeNext('L'), false)
  queue.charge('Q', 10)
  assert.equal(queue.wouldBeNext('Q'), false)
})

test('flows that always have something waiting are given the same cost, whatever one item costs', () => {
  const queue = filled([
    ['D', 100],
    ['C', 100],
  ])

  const flows = taken(queue, 66, (flow) => (flow === 'D' ? 10 : 1))

  const cheap = flows.replaceAll('D', '').length
  assert.ok(
    cheap >= 55 && cheap <= 61,
    `${cheap} cheap ones beside ${flows.length - cheap} of ten times the cost`,
  )
})

test('who was idle has saved up nothing', () => {
  const queue = filled([['A', 100]])
  taken(queue, 50)
  for (let i = 0; i < 50; i++) queue.push('B', 'B')

  const flows = taken(queue, 20)

  assert.equal(flows.replaceAll('A', '').length, 10, flows)
})

test('what was charged too much is given back', () => {
  const queue = filled([
    ['A', 10],
    ['B', 10],
  ])
  queue.charge('A', 5)
  queue.charge('A', -5)
  assert.equal(taken(queue, 4).replaceAll('A', '').length, 2)
})

test('everything that was put in comes out once, in the order of its flow', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ flow: fc.constantFrom('A', 'B', 'C'), take: fc.boolean() })),
      (steps) => {
        const queue = new FairQueue<string>()
        const out: string[] = []
        steps.forEach(({ flow, take }, index) => {
          queue.push(flow, `${flow} ${String(index).padStart(6, '0')}`)
          const item = take ? queue.shift() : undefined
          if (item !== undefined) out.push(item)
        })
        for (let item = queue.shift(); item !== undefined; item = queue.shift()) out.push(item)
        assert.equal(out.length, steps.length)
        for (const flow of ['A', 'B', 'C']) {
          const own = out.filter((item) => item.startsWith(flow))
          assert.deepEqual(own, own.toSorted())
        }
        assert.equal(queue.isEmpty, true)
      },
    ),
  )
})

test('what was given before all began anew is not held against a flow', () => {
  const queue = new FairQueue<string>()
  queue.charge('busy all day', 1_000_000)
  queue.beginAnew()
  for (let i = 0; i < 10; i++) queue.push('comes now', 'comes now')
  queue.push('busy all day', 'busy all day')

  assert.match(taken(queue, 2), /busy all day/)
})

test('of many idle flows the one used longest ago is forgotten, and one that owes and was used is not', () => {
  const queue = new FairQueue<string>()
  queue.charge('debtor', 1_000_000)
  for (let i = 0; i < 9_999; i++) queue.charge(`flow ${i}`, 1)
  queue.push('debtor', 'debtor')
  queue.push('quiet', 'quiet')
  assert.equal(queue.shift(), 'quiet')
  queue.shift()
  for (let i = 0; i < 10_000; i++) queue.charge(`other flow ${i}`, 1)
  queue.push('quiet again', 'quiet again')
  queue.charge('quiet again', 2)

  queue.push('debtor', 'debtor')

  assert.equal(queue.shift(), 'debtor')
})

test('items that were begun are finished one after the other, in turn with new ones', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a', 'b', 'c']) queue.push('flow', item)
  queue.push('flow', 'X', 'begins')
  queue.push('flow', 'Y', 'begins')
  const came: string[] = []
  const left = new Map([
    ['X', 2],
    ['Y', 1],
  ])
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    came.push(item)
    const more = left.get(item) ?? 0
    left.set(item, more - 1)
    if (more > 0) queue.push('flow', item, 'goes on')
  }

  assert.equal(came.join(''), 'aXbXcXYY')
  assert.equal(queue.isEmpty, true)
})
