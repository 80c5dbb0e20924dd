import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Ordinals } from './ordinals.ts'

test('what comes to nothing leaves its number to the next, and what is under way keeps it', () => {
  const ordinals = new Ordinals()
  assert.deepEqual([ordinals.take('a'), ordinals.take('a'), ordinals.take('b')], [0, 1, 0])
  ordinals.free('a', 0)
  assert.equal(ordinals.take('a'), 0)
  ordinals.made('a', 1)
  assert.equal(ordinals.take('a'), 2)
})

test('however things come about, no two are made with one number, and none is left out', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('take', 'made', 'free'), fc.nat()), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (all) => {
      let ordinals = new Ordinals()
      const underWay: number[] = []
      const made: number[] = []
      for (const [step, which] of all) {
        if (step === 'take') underWay.push(ordinals.take('a'))
        const [ordinal] = step === 'take' ? [] : underWay.splice(which % (underWay.length || 1), 1)
        if (ordinal === undefined) continue
        if (step === 'made') made.push(ordinal)
        ordinals[step === 'made' ? 'made' : 'free']('a', ordinal)
      }
      assert.equal(new Set([...made, ...underWay]).size, made.length + underWay.length)
      for (const ordinal of underWay) ordinals.free('a', ordinal)
      // What a snapshot keeps is enough to go on.
      ordinals = new Ordinals(JSON.parse(JSON.stringify(ordinals.state())))
      const most = Math.max(-1, ...made)
      const next: number[] = []
      while (next.at(-1) !== most + 1) {
        next.push(ordinals.take('a'))
        assert.ok(next.length <= most + 2)
      }
      assert.deepEqual(
        [...made, ...next].toSorted((a, b) => a - b),
        Array.from({ length: most + 2 }, (_, at) => at),
      )
    }),
  )
})
