import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chains } from '../../../trusted/chains/list.ts'
import { chainsOf, chainWords } from './list.ts'

const named = async (sent: Parameters<typeof chainsOf>[0]): Promise<readonly string[]> =>
  (await chainsOf(sent)).map(({ chain }) => chain.name)

test('every chain is said in words, each by its own', async () => {
  const loaded = await Promise.all(Object.values(chainWords).map((load) => load()))
  assert.deepEqual(
    loaded.map(({ chain }) => chain),
    chains,
  )
  assert.deepEqual(
    Object.keys(chainWords),
    chains.map(({ keyword }) => keyword),
  )
})

/** What a chain has signed as a raw payload, in hexadecimal. */
function payloadOf({ name, example: { unsigned } }: (typeof chains)[number]): string {
  // Before the message of Solana stand the places of its signatures.
  return name === 'Solana' ? unsigned.slice(2 + 64 * 2) : unsigned
}

for (const chain of chains) {
  const { name, transaction, payload, encodings = [] } = chain
  const hashFunction = payload?.hashFunction ?? ''
  const raw = (...payloads: readonly string[]) =>
    named({ payloads, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction })

  test(`whatever may be of ${name} loads the readers of it`, async () => {
    if (transaction !== undefined) assert.deepEqual(await named({ transaction: transaction.type }), [name])
    for (const { encoding } of encodings)
      assert.deepEqual(await named({ payloads: [''], encoding, hashFunction: 'HASH_FUNCTION_NO_OP' }), [name])
    const one = payloadOf(chain)
    // A PSBT begins like a message of protobuf too.
    assert.deepEqual(await raw(one), name === 'Bitcoin' ? ['Tron', name] : [name])
    assert.ok((await raw('0xff', one)).includes(name))
    assert.deepEqual(
      await named({ payloads: [one], encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: '' }),
      [],
    )
  })

  test(`several payloads, of which one is of ${name}, load the readers of all that they may be of`, async () => {
    const others = chains.filter(
      (other) => other !== chain && other.payload?.hashFunction === payload?.hashFunction,
    )
    const loaded = await raw(payloadOf(chain), ...others.map(payloadOf))
    assert.deepEqual(loaded.toSorted(), [name, ...others.map((other) => other.name)].toSorted())
  })
}

test('what is of no chain loads none', async () => {
  for (const transaction of ['', 'TRANSACTION_TYPE_NONE']) assert.deepEqual(await named({ transaction }), [])
  const hashFunction = 'HASH_FUNCTION_SHA256'
  for (const encoding of ['', 'X', 'PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8'])
    for (const payloads of [[], [''], ['x\ud800'], ['\u0007']])
      assert.deepEqual(
        await named({ payloads, encoding, hashFunction }),
        [],
        `${encoding} ${payloads.join()}`,
      )
})
