import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Linked, LinkedList } from './linked-list.ts'

interface Item extends Linked<Item> {
  readonly name: number
}

/** Its names from both ends. */
function namesIn(list: LinkedList<Item>): readonly [forward: number[], backward: number[]] {
  const forward: number[] = []
  const backward: number[] = []
  for (let item = list.first; item !== undefined; item = item.next) forward.push(item.name)
  for (let item = list.last; item !== undefined; item = item.previous) backward.unshift(item.name)
  return [forward, backward]
}

test('a list has its items in the order of an array to which the same is done', () => {
  const step = fc.record({ does: fc.constantFrom('insert', 'remove', 'moveToEnd'), at: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const list = new LinkedList<Item>()
      const model: Item[] = []
      for (const [name, { does, at }] of steps.entries()) {
        const found = model[at]
        if (does === 'insert') {
          const item = { name, previous: undefined, next: undefined }
          list.insert(item, found)
          model.splice(found === undefined ? model.length : at, 0, item)
        } else if (found !== undefined) {
          model.splice(at, 1)
          if (does === 'remove') list.remove(found)
          else {
            list.moveToEnd(found)
            model.push(found)
          }
        }
        const names = model.map((item) => item.name)
        assert.deepEqual(namesIn(list), [names, names])
      }
    }),
  )
})
