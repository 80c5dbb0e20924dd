import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../trusted/activities/list.ts'
import { present } from '../../trusted/base/assert.ts'
import { fromHex, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { chains } from '../../trusted/chains/list.ts'
import { visible } from './visible.ts'
import { type Words, wordsOf } from './words.ts'

const ORGANIZATION = '0198c5a0-7d3c-7000-8000-000000000001'

async function said(type: string, parameters: unknown): Promise<Words> {
  return await wordsOf(
    utf8(JSON.stringify({ type, timestampMs: '1795212000000', organizationId: ORGANIZATION, parameters })),
  )
}

/** All that a person is shown, on one page. */
function page({ sentence, facts, dangers, unknowable, refusals }: Words): string {
  const lines = facts.map(({ label, value }) => `${label}: ${value}`)
  return [sentence, ...lines, ...dangers, ...unknowable, ...refusals].join('\n')
}

type Leaf = { readonly path: readonly (string | number)[]; readonly value: unknown }

function leaves(value: unknown, path: readonly (string | number)[] = []): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...path, index]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) => leaves(item, [...path, name]))
  return [{ path, value }]
}

/** The same with one leaf changed. */
function changed(value: unknown, [first, ...rest]: Leaf['path']): unknown {
  if (first === undefined)
    return typeof value === 'string' ? `${value}x` : typeof value === 'number' ? value + 1 : !value
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? changed(item, rest) : item))
  const object = value as { readonly [name: string]: unknown }
  return { ...object, [first]: changed(object[first], rest) }
}

for (const { operation, forms, example, vote } of activities) {
  test(`every value that ${operation} is asked with stands in its words, and each changes them`, async () => {
    const { type } = present(forms.at(-1), 'the newest form')
    const words = await said(type, example.intent)
    if (vote === undefined) assert.deepEqual(words.refusals, [])
    else assert.deepEqual(words.refusals, ['It is a vote on another activity, and votes are not approved.'])
    for (const leaf of leaves(example.intent)) {
      const { path, value } = leaf
      const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
      const found = words.facts.find(({ label }) => label === `parameters${name}`)
      const text = typeof value === 'string' ? `"${visible(value).replaceAll('"', '\\"')}"` : String(value)
      assert.ok(found?.value.startsWith(text), `${name}: ${text} in ${found?.value}`)
      assert.notEqual(page(await said(type, changed(example.intent, path))), page(words), name)
    }
  })
}

test('an activity of a kind that is not known here cannot be approved', async () => {
  const words = await said('ACTIVITY_TYPE_SELL_EVERYTHING', {})
  assert.match(words.refusals.join(), /ACTIVITY_TYPE_SELL_EVERYTHING is not known here/)
})

test('a field that is not known, a second spelling and a second key cannot be approved', async () => {
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG'
  const tag = { userTagName: 'a', userIds: [] }
  assert.deepEqual((await said(type, tag)).refusals, [])
  assert.deepEqual((await said(type, { user_tag_name: 'a', user_ids: [] })).refusals, [])
  assert.deepEqual((await said(type, { ...tag, more: null })).refusals, [])
  for (const parameters of [
    { ...tag, more: 'x' },
    { ...tag, user_tag_name: 'b' },
    { ...tag, userTagName: { deep: 'x' } },
  ])
    assert.equal((await said(type, parameters)).refusals.length, 1, JSON.stringify(parameters))
  const twice = `{"type":"${type}","timestampMs":"1","organizationId":"${ORGANIZATION}","parameters":{"userTagName":"a","userTagName":"b","userIds":[]}}`
  assert.match((await wordsOf(utf8(twice))).refusals.join(), /second time/)
  const extra = `{"type":"${type}","timestampMs":"1","organizationId":"${ORGANIZATION}","parameters":{"userTagName":"a","userIds":[]},"and":1}`
  assert.match((await wordsOf(utf8(extra))).refusals.join(), /not known here: and/)
  for (const odd of ['', '{', '[]', 'null', '{}', '{"type":1}', '\ufeff{}', `{"type":"${type}"}`])
    assert.equal((await wordsOf(utf8(odd))).refusals.length, 1, odd)
})

/** The words of a transaction of a chain, without the parameters that repeat its bytes. */
async function transactionPage(
  chain: (typeof chains)[number],
  hex: string,
): Promise<{ readonly read: boolean; readonly text: string }> {
  const { transaction, payload, example } = chain
  const words =
    transaction === undefined
      ? await said('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
          signWith: example.signWith,
          payload: hex,
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction: payload?.hashFunction,
        })
      : await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
          signWith: example.signWith,
          unsignedTransaction: hex,
          type: transaction.type,
        })
  const facts = words.facts.filter(({ label }) => !label.startsWith('parameters.'))
  const isOpaque = words.sentence.includes('NOTHING CAN BE KNOWN')
  return { read: words.refusals.length === 0 && !isOpaque, text: page({ ...words, facts }) }
}

for (const chain of chains) {
  test(`two different transactions of ${chain.name} have different words, byte by byte`, async () => {
    const bytes = present(fromHex(chain.example.unsigned), 'the example is hexadecimal')
    const whole = await transactionPage(chain, chain.example.unsigned)
    assert.ok(whole.read, whole.text)
    let read = 0
    for (const at of bytes.keys())
      for (const change of [1, 0x80]) {
        const other = Uint8Array.from(bytes)
        other[at] = (other[at] ?? 0) ^ change
        const words = await transactionPage(chain, toHex(other))
        if (words.read) read += 1
        if (words.read) assert.notEqual(words.text, whole.text, `byte ${at} of ${toHex(other)}`)
      }
    assert.ok(read > 30, `${read} changed transactions are still read`)
  })

  test(`a transaction of ${chain.name} that is cut or longer is not said as one`, async () => {
    const { unsigned } = chain.example
    for (const hex of [unsigned.slice(0, -2), `${unsigned}00`, unsigned.slice(2)])
      assert.equal((await transactionPage(chain, hex)).read, false, hex)
  })
}
