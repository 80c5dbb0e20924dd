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

for (const { name, transaction, payload, encodings = [] } of chains)
  test(`whatever may be of ${name} loads the readers of it`, async () => {
    if (transaction !== undefined) assert.deepEqual(await named({ transaction: transaction.type }), [name])
    for (const { encoding } of encodings)
      assert.deepEqual(await named({ encoding, hashFunction: 'HASH_FUNCTION_NO_OP' }), [name])
    for (const encoding of ['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8'])
      assert.ok((await named({ encoding, hashFunction: payload?.hashFunction ?? '' })).includes(name))
  })

test('what is of no chain loads none', async () => {
  for (const transaction of ['', 'TRANSACTION_TYPE_NONE']) assert.deepEqual(await named({ transaction }), [])
  for (const encoding of ['', 'X'])
    assert.deepEqual(await named({ encoding, hashFunction: 'HASH_FUNCTION_SHA256' }), [])
})
