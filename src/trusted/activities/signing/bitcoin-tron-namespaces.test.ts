import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import { toHex } from '../../base/bytes.ts'
import { Caseless } from '../../base/caseless.ts'
import { hexOf, psbtOf, testKey } from '../../chains/bitcoin/testing/psbt.ts'
import { readBitcoinTransaction } from '../../chains/bitcoin/read-bitcoin-transaction.ts'
import type { SeenValue } from '../../chains/transaction.ts'
import { any, concat, contracts, int, raw } from '../../chains/tron/testing/raw-data.ts'
import { readTronTransaction } from '../../chains/tron/read-tron-transaction.ts'
import { struct, type Type } from '../../policy/types.ts'
import { bitcoinNamespace } from './bitcoin-namespace.ts'
import { tronNamespace } from './tron-namespace.ts'

const key = testKey(7)

test('all that is seen of a Bitcoin transaction has a name and a type in the language', () => {
  const psbt = hexOf(psbtOf([{ payment: btc.p2wpkh(key.publicKey), value: 10_000n }]))
  const named = fits(struct(bitcoinNamespace), readBitcoinTransaction(psbt, key.signer, '').seen, 'seen')
  assert.deepEqual(unnamed(bitcoinNamespace, named), [])
})

test('all that is seen of a Tron transaction of any contract has a name and a type in the language', () => {
  const named = contracts().flatMap(({ name, number, value }) => {
    const rawData = raw(concat(int(1, number), any(name, value)))
    return [...fits(struct(tronNamespace), readTronTransaction(toHex(rawData), key.signer).seen, 'seen')]
  })
  // The sample has no permission of a witness.
  assert.deepEqual(
    unnamed(tronNamespace, new Set(named)).filter((path) => !path.includes('.witness')),
    [],
  )
})

/** The paths that were met. */
function fits(type: Type, value: SeenValue | undefined, path: string): ReadonlySet<string> {
  const met = new Set([path])
  const fitsInto = (each: Type, part: SeenValue | undefined, at: string): void => {
    for (const inner of fits(each, part, at)) met.add(inner)
  }
  switch (type.kind) {
    case 'struct': {
      assert.ok(typeof value === 'object' && !Array.isArray(value) && !(value instanceof Caseless), path)
      for (const [name, part] of Object.entries(value)) {
        const field = type.fields[name]
        assert.ok(field, `${path}.${name} is in the vocabulary`)
        if (part !== undefined) fitsInto(field, part, `${path}.${name}`)
      }
      break
    }
    case 'list':
      assert.ok(Array.isArray(value), path)
      for (const part of value) fitsInto(type.of, part, `${path}[]`)
      break
    case 'int':
      assert.equal(typeof value, 'bigint', path)
      break
    case 'bool':
      assert.equal(typeof value, 'boolean', path)
      break
    default:
      assert.ok(typeof value === 'string' || value instanceof Caseless, path)
  }
  return met
}

function unnamed(namespace: Parameters<typeof struct>[0], met: ReadonlySet<string>): readonly string[] {
  return [...pathsOf(struct(namespace), 'seen')].filter((path) => !met.has(path))
}

function pathsOf(type: Type, path: string): readonly string[] {
  if (type.kind === 'list') return [path, ...pathsOf(type.of, `${path}[]`)]
  if (type.kind !== 'struct') return [path]
  return [path, ...Object.entries(type.fields).flatMap(([name, field]) => pathsOf(field, `${path}.${name}`))]
}
