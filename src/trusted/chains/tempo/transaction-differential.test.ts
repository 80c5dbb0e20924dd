import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keccak256 } from 'viem'
import { Transaction } from 'viem/tempo'
import { present } from '../../base/assert.ts'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { type RlpItem, rlpInteger } from '../ethereum/rlp.ts'
import { anyItem } from '../ethereum/testing/arbitrary.ts'
import { bytesOf, raw, SECRET, seen, signer } from '../ethereum/testing/transactions.ts'
import type { ReadTransaction } from '../transaction.ts'
import { readTempoTransaction } from './transaction.ts'

test('whatever is read is read alike by viem, and would be written and signed alike', async () => {
  const counts = { read: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(anyTransaction, async (hex) => {
      const ours = readOrRefused(hex)
      if (ours === undefined) {
        counts.refused++
        return
      }
      counts.read++
      const theirs = Transaction.deserialize(`0x76${hex.slice(2)}`)
      assert.deepEqual(fieldsOf(theirs), seenFields(ours))
      const digest = keccak256(await Transaction.serialize(theirs))
      assert.equal(`0x${toHex(present(ours.toSign[0], 'one digest').bytes)}`, digest)
    }),
    { numRuns: 2000 },
  )
  assert.ok(counts.read > 300 && counts.refused > 300, JSON.stringify(counts))
})

type Theirs = ReturnType<typeof Transaction.deserialize<`0x76${string}`>>

function fieldsOf(theirs: Theirs): object {
  return {
    chain_id: theirs.chainId,
    nonce: theirs.nonce ?? 0,
    gas_limit: theirs.gas ?? 0n,
    max_fee_per_gas: theirs.maxFeePerGas ?? 0n,
    max_priority_fee_per_gas: theirs.maxPriorityFeePerGas ?? 0n,
    fee_token: String(theirs.feeToken ?? ''),
    valid_before: theirs.validBefore ?? 0,
    valid_after: theirs.validAfter ?? 0,
    calls: theirs.calls?.map(({ to, data }) => ({ to: to ?? '', input: data ?? '0x' })),
  }
}

function seenFields(read: ReadTransaction): object {
  const { from: _from, calls, ...fields } = seen(read)
  const asNumbers = new Set(['chain_id', 'nonce', 'valid_before', 'valid_after'])
  const plain = Object.entries(fields).map(([name, value]) => {
    if (typeof value === 'bigint') return [name, asNumbers.has(name) ? Number(value) : value]
    return [name, String(value).toLowerCase()]
  })
  assert.ok(Array.isArray(calls))
  const seenCalls = calls.map(({ to, input }) => ({ to: String(to).toLowerCase(), input: String(input) }))
  return { ...Object.fromEntries(plain), calls: seenCalls }
}

function readOrRefused(hex: string): ReadTransaction | undefined {
  try {
    return readTempoTransaction(hex, signer(SECRET))
  } catch (thrown) {
    assert.ok(thrown instanceof Failure, String(thrown))
    return undefined
  }
}

const none = fc.constant<RlpItem>(new Uint8Array())
const emptyList = fc.constant<RlpItem>([])
const uint = (max: bigint) => fc.bigInt({ min: 0n, max }).map(rlpInteger)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 })
const call = fc.tuple(address, none, fc.uint8Array({ maxLength: 40 }))
const safe = uint(2n ** 53n - 1n)
const time = fc.oneof(none, safe)

const wellFormed = fc.tuple(
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }).map(rlpInteger),
  uint(2000n),
  fc.bigInt({ min: 1000n, max: 2n ** 128n - 1n }).map(rlpInteger),
  uint(2n ** 64n - 1n),
  fc.array(call, { minLength: 1, maxLength: 3 }),
  emptyList,
  none,
  safe,
  time,
  time,
  fc.oneof(none, address),
  none,
  emptyList,
)

/** As it is, with one field exchanged, or with one byte set. */
const anyTransaction: fc.Arbitrary<string> = fc
  .tuple(wellFormed, fc.nat(), fc.nat({ max: 255 }), anyItem, fc.constantFrom('keep', 'field', 'byte'))
  .map(([fields, position, byte, item, how]) => {
    if (how === 'field') return raw(0x76, fields.with(position % fields.length, item))
    const whole = bytesOf(raw(0x76, fields))
    return toHex(how === 'keep' ? whole : whole.with(1 + (position % (whole.length - 1)), byte))
  })
