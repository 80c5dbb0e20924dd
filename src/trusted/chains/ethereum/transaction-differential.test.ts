import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from 'ethers'
import fc from 'fast-check'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import type { ReadTransaction } from '../transaction.ts'
import { type RlpItem, rlpInteger } from './rlp.ts'
import { anyBytes, type Form, wellFormed } from './testing/arbitrary.ts'
import { libraries, type Understood } from './testing/libraries.ts'
import { bytesOf, raw, SECRET, seen, signer, signWith } from './testing/transactions.ts'
import { readEthereumTransaction } from './transaction.ts'

test('whatever is read is read alike by ethers, viem and micro-eth-signer; all else is refused cleanly', () => {
  const counts = { read: 0, refused: 0, byAll: 0 }
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const ours = understood(bytes)
      if (ours === undefined) {
        counts.refused++
        return
      }
      counts.read++
      const readings = Object.keys(libraries).map((name) => readingOf(name, `0x${toHex(bytes)}`))
      for (const theirs of readings) if (theirs !== undefined) assert.deepEqual(theirs, ours)
      assert.ok(readings.some((theirs) => theirs !== undefined))
      if (!readings.includes(undefined)) counts.byAll++
    }),
    { numRuns: 4000 },
  )
  assert.ok(counts.refused > 1000 && counts.byAll > 500, JSON.stringify(counts))
})

test('the fields that are read give the same bytes again', () => {
  let read = 0
  fc.assert(
    fc.property(wellFormed, (form) => {
      const ours = understood(bytesOf(raw(form.type, form.fields)))
      if (ours === undefined) return
      read++
      assert.equal(raw(form.type, written(ours, form)), raw(form.type, form.fields))
    }),
    { numRuns: 2000 },
  )
  assert.ok(read > 500, `${read} were read`)
})

test('what is signed is, to ethers, the same transaction from the address that policies see', () => {
  let signed = 0
  fc.assert(
    fc.property(wellFormed, ({ type, fields }) => {
      const hex = raw(type, fields)
      const ours = understood(bytesOf(hex))
      if (ours === undefined || ours.nonce > SAFE_MAX) return
      signed++
      const read = readEthereumTransaction(hex, key, [])
      const theirs = Transaction.from(`0x${signWith(read, SECRET)}`)
      assert.equal(theirs.from, String(seen(read)['from']))
      assert.equal(theirs.unsignedSerialized, `0x${hex}`)
    }),
    { numRuns: 200 },
  )
  assert.ok(signed > 50, `${signed} were signed`)
})

const key = signer(SECRET)
const SAFE_MAX = 2n ** 53n - 1n

/**
 * Undefined where the library refuses for a reason of its own: it holds numbers as floating point, or wants a chain.
 */
function readingOf(name: string, hex: `0x${string}`): Understood | undefined {
  try {
    return libraries[name]?.(hex)
  } catch (thrown) {
    assert.match(String(thrown), limits[name] ?? NEVER, name)
    return undefined
  }
}

const NEVER = /^\b$/
const limits: { readonly [name: string]: RegExp } = {
  ethers: /invalid numeric string: overflow .*"nonce"/,
  viem: /is not in safe integer range|Cannot convert 0x to a BigInt/,
}

function understood(bytes: Uint8Array): Understood | undefined {
  let read: ReadTransaction
  try {
    read = readEthereumTransaction(toHex(bytes), key, [])
  } catch (thrown) {
    assert.ok(thrown instanceof Failure, String(thrown))
    return undefined
  }
  const fields = seen(read)
  const number = (name: string) => {
    const value = fields[name]
    return typeof value === 'bigint' ? value : undefined
  }
  return {
    type: String(fields['type']),
    // To the libraries a transaction for every chain is on chain 0.
    chainId: number('chain_id') ?? 0n,
    nonce: number('nonce') ?? -1n,
    gas: number('gas') ?? -1n,
    gasPrice: number('gas_price') ?? -1n,
    maxPriorityFeePerGas: number('max_priority_fee_per_gas'),
    maxFeePerBlobGas: number('max_fee_per_blob_gas'),
    to: String(fields['to']).toLowerCase(),
    value: number('value') ?? -1n,
    data: String(fields['data']),
    digest: `0x${toHex(read.toSign[0]?.bytes ?? new Uint8Array())}`,
  }
}

/** The fields of the form, made anew of what was read; its lists, which no policy sees, are taken from it. */
function written(ours: Understood, { type, fields }: Form): readonly RlpItem[] {
  const { chainId, gasPrice, maxPriorityFeePerGas, maxFeePerBlobGas } = ours
  const core = [rlpInteger(ours.gas), bytesOf(ours.to), rlpInteger(ours.value), bytesOf(ours.data)]
  const nonce = rlpInteger(ours.nonce)
  if (type === 0) {
    const bound = chainId === 0n ? [] : [rlpInteger(chainId), new Uint8Array(), new Uint8Array()]
    return [nonce, rlpInteger(gasPrice), ...core, ...bound]
  }
  const prices = [maxPriorityFeePerGas, gasPrice].flatMap((price) => price ?? []).map(rlpInteger)
  const head = [rlpInteger(chainId), nonce, ...prices, ...core]
  const lists = fields.slice(head.length)
  return [...head, ...(maxFeePerBlobGas === undefined ? lists : lists.with(1, rlpInteger(maxFeePerBlobGas)))]
}
