import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { vectors } from '../../../test/support/vectors.ts'
import { present } from '../base/assert.ts'
import { fromHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { finished } from '../base/work.ts'
import { CURVES } from '../crypto/curve.ts'
import { struct } from '../policy/types.ts'
import { addressFormats, addressOf, curvesOf } from './address-format.ts'
import type { Chain } from './chain.ts'
import { chains, declaredChains } from './list.ts'
import { payloadEncodings } from './payload.ts'
import { seenInPayload } from './seen-payload.ts'
import { transactionTypes } from './read-transaction.ts'
import { fits } from './testing/fits.ts'
import type { ReadTransaction, SeenFields } from './transaction.ts'

test('types of transactions and encodings are those of the contract, in its order', () => {
  const { enums } = vectors<{ readonly enums: Record<string, unknown> }>('facts/contract.json')
  assert.deepEqual(transactionTypes, enums['TransactionType'])
  assert.deepEqual(payloadEncodings, enums['PayloadEncoding'])
})

test('no two chains have a name, a keyword, a type or an encoding in common', () => {
  for (const told of [
    chains.map(({ name }) => name),
    chains.map(({ keyword }) => keyword),
    chains.flatMap(({ transaction }) => transaction?.type ?? []),
    chains.flatMap(({ encodings = [] }) => encodings.map(({ encoding }) => encoding)),
    chains.flatMap(({ interfaces }) => interfaces?.type ?? []),
  ])
    assert.deepEqual(told, [...new Set(told)])
  assert.equal(chains.length, declaredChains.length)
})

test('only raw payloads of Bitcoin show a part of the transaction, for its digests leave out what is spent', () => {
  const inPart = chains.filter(({ payload }) => payload?.shows === 'part').map(({ name }) => name)
  assert.deepEqual(inPart, ['Bitcoin'])
})

for (const chain of chains) {
  const { name, keyword, namespace, payload, example } = chain
  const bytes = present(fromHex(example.unsigned), 'an example is hexadecimal')

  test(`${name}: the example is signed by the key of its address`, () => {
    const formats = addressFormats.filter((format) => curvesOf(format).includes(chain.curve))
    const addresses = formats.map((format) => addressOf(format, chain.curve, example.publicKey))
    assert.ok(addresses.includes(example.signWith))
  })

  test(`${name}: all that policies see of the example has a name and a type in the language`, () => {
    for (const seen of [transactionOf(chain, bytes)?.seen, shownAsPayload(chain, bytes)]) {
      if (seen === undefined) continue
      assert.deepEqual(Object.keys(seen), [keyword])
      fits(struct(namespace), seen[keyword], keyword)
    }
  })

  test(`${name}: what a transaction shows it shows as a raw payload too`, () => {
    const transaction = transactionOf(chain, bytes)
    const shown =
      shownAsPayload(chain, bytes) ?? shownAsPayload(chain, transaction?.toSign[0]?.bytes ?? bytes)
    assert.equal(shown !== undefined, payload !== undefined)
    if (payload?.shows === 'whole' && transaction !== undefined) assert.deepEqual(shown, transaction.seen)
  })

  test(`${name}: with a key on another curve none is signed, and none is seen in a raw payload`, () => {
    for (const curve of CURVES.filter((each) => each !== chain.curve)) {
      if (chain.transaction) assert.throws(() => transactionOf(chain, bytes, curve), Failure)
      if (payload === undefined) continue
      const raw = { payload: example.unsigned, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', ...payload } as const
      assert.equal(seenInPayload({ ...raw, curve }, { ...example, curve, interfaces: [] }), undefined)
    }
  })

  test(`${name}: an example that is cut short, or longer by a byte, is none`, () => {
    for (let length = 0; length < bytes.length; length++) isNone(chain, bytes.subarray(0, length))
    for (const byte of [0, 1, 0x0a, 0x80, 0xff]) isNone(chain, Uint8Array.of(...bytes, byte))
  })

  test(`${name}: bytes like the example, and any others, are read or refused, and nothing else is thrown`, () => {
    const changed = fc
      .array(fc.record({ at: fc.nat({ max: bytes.length - 1 }), byte: fc.nat({ max: 255 }) }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((changes) => {
        const copy = Uint8Array.from(bytes)
        for (const { at, byte } of changes) copy[at] = byte
        return copy
      })
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: changed }, fc.uint8Array({ maxLength: 300 })), (given) => {
        for (const see of [() => transactionOf(chain, given)?.seen, () => shownAsPayload(chain, given)]) {
          const seen = ifRead(see)
          if (seen !== undefined) fits(struct(namespace), seen[keyword], keyword)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test(`${name}: the tests in its folder compare it with the packages it names`, () => {
    const folder = new URL(`./${name.toLowerCase()}/`, import.meta.url)
    const files = globSync(['**/*.test.ts', 'testing/*.ts'], { cwd: folder })
    const texts = files.map((path) => readFileSync(new URL(path, folder), 'utf8'))
    assert.ok(texts.length > 0)
    for (const library of chain.comparedWith)
      assert.ok(
        texts.some((text) => text.includes(`from '${library}`)),
        library,
      )
  })
}

function transactionOf(
  { transaction, example, curve }: Chain,
  bytes: Uint8Array,
  ofKey = curve,
): ReadTransaction | undefined {
  const { publicKey, signWith } = example
  const signer = { curve: ofKey, publicKey, signWith, interfaces: [] }
  return transaction && finished(transaction.read(Buffer.from(bytes).toString('hex'), signer))
}

function shownAsPayload({ payload, example, curve }: Chain, bytes: Uint8Array): SeenFields | undefined {
  const { publicKey, signWith } = example
  return payload && finished(payload.see(bytes, { curve, publicKey, signWith, interfaces: [] }))
}

function ifRead(see: () => SeenFields | undefined): SeenFields | undefined {
  try {
    return see()
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Neither a transaction, nor shown as one where that would be all of it. */
function isNone(chain: Chain, bytes: Uint8Array): void {
  if (chain.transaction) assert.throws(() => transactionOf(chain, bytes), Failure, `${bytes.length} bytes`)
  if (chain.payload?.shows !== 'whole') return
  assert.equal(
    ifRead(() => shownAsPayload(chain, bytes)),
    undefined,
    `${bytes.length} bytes`,
  )
}
