import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from '../base/bytes.ts'
import { finished, type Steps } from '../base/work.ts'
import { seenContractCall } from './ethereum/contract-call.ts'
import { forManyCalls } from './read-once.ts'

const address = `0x${'ab'.repeat(20)}`
const text = JSON.stringify([
  { type: 'function', name: 'transfer', inputs: [{ name: 'to', type: 'address' }] },
])

test('the text of an interface is read once for many calls', () => {
  const contractInterface = forManyCalls({ kind: 'ethereum', address, text })
  let reads = 0
  const read = function* (given: string): Steps<unknown> {
    yield 1
    return { given, reads: ++reads }
  }
  const once = () => contractInterface.readOnce && finished(contractInterface.readOnce(read))
  assert.deepEqual(once(), { given: text, reads: 1 })
  assert.deepEqual(once(), { given: text, reads: 1 })
})

test('many calls are seen as each of them is alone', () => {
  const to = fromHex(address.slice(2))
  const item = { kind: 'ethereum', address, text } as const
  const kept = forManyCalls(item)
  for (const hex of [`1a695230${'00'.repeat(12)}${'cd'.repeat(20)}`, '1a695230', '12345678', '', '1a']) {
    const data = fromHex(hex) ?? new Uint8Array()
    const alone = finished(seenContractCall(to, data, [item]))
    assert.deepEqual(finished(seenContractCall(to, data, [kept])), alone)
    assert.deepEqual(finished(seenContractCall(to, data, [kept])), alone)
    assert.deepEqual(
      alone['function_name'],
      hex.startsWith('1a695230') ? 'transfer' : hex.length < 8 ? '' : {},
    )
  }
})
