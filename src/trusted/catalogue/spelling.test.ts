import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../base/failure.ts'
import { boolean, list, object, oneOf, optional, otherwise, type Shape, text } from './shape.ts'

const inner = object({ cidrBlock: text({ max: 9 }), shortName: optional(text({ min: 1, max: 9 })) })
const shape = object({
  publicKey: text({ max: 9 }),
  hashFunction: optional(oneOf(['A', 'B'])),
  allRules: optional(list(inner, { max: 9 })),
  isOn: optional(boolean),
  endsAt: optional(text({ max: 9 }), 'emptyIsGiven'),
  curveType: otherwise(oneOf(['P', 'Q']), 'P'),
})
const plain = { publicKey: 'k', allRules: [{ cidrBlock: 'c' }] }
const read = { ...plain, curveType: 'P' }

test('a field in snake_case is the field in camelCase, at every depth', () => {
  const sent = {
    public_key: 'k',
    hash_function: 'A',
    all_rules: [{ cidr_block: 'c', short_name: 'n' }, { cidrBlock: 'd' }],
    is_on: false,
    ends_at: 'e',
    curve_type: 'Q',
  }
  assert.deepEqual(shape.read(sent, '', 'lenient'), {
    publicKey: 'k',
    hashFunction: 'A',
    allRules: [{ cidrBlock: 'c', shortName: 'n' }, { cidrBlock: 'd' }],
    isOn: false,
    endsAt: 'e',
    curveType: 'Q',
  })
})

test('what is unset is absent, known or not, at every depth', () => {
  for (const unset of [null, '', []]) {
    const more = { unknown: unset, not_known: unset, hashFunction: unset, is_on: null, curve_type: unset }
    assert.deepEqual(shape.read({ ...plain, ...more }, '', 'lenient'), read)
    const rules = [{ cidrBlock: 'c', short_name: unset, unknown: unset }]
    assert.deepEqual(shape.read({ ...plain, allRules: rules }, '', 'lenient'), read)
  }
})

test('an unknown field with a value is refused by the name that it was sent under', () => {
  for (const value of [0, false, ' ', {}, [null], ['']]) {
    assert.equal(said(shape, { ...plain, unknown: value }), '`unknown` is not a field of this request')
    assert.equal(said(shape, { ...plain, not_known: value }), '`not_known` is not a field of this request')
    assert.equal(
      said(shape, { ...plain, allRules: [{ cidrBlock: 'c', odd: value }] }),
      '`allRules[0].odd` is not a field of this request',
    )
  }
})

test('a field that is given in both spellings is refused, whichever comes first and whatever they hold', () => {
  for (const [one, other] of [
    ['k', 'k'],
    ['k', 'l'],
    ['k', null],
    [null, 'k'],
    [null, null],
  ]) {
    for (const names of [
      ['publicKey', 'public_key'],
      ['public_key', 'publicKey'],
    ] as const) {
      const sent = { [names[0]]: one, [names[1]]: other }
      assert.equal(
        said(shape, sent),
        `\`publicKey\` is given twice, the second time as \`${names[1]}\`: give it once`,
      )
    }
  }
  assert.equal(
    said(shape, { ...plain, allRules: [{ cidrBlock: 'c', cidr_block: 'c' }] }),
    '`allRules[0].cidrBlock` is given twice, the second time as `cidr_block`: give it once',
  )
})

test('a flag and an object are left out by null, and by nothing else that is empty', () => {
  const flagged = object({ isOn: optional(boolean), inner: optional(inner) })
  assert.deepEqual(flagged.read({ isOn: null, inner: null }, '', 'lenient'), {})
  for (const empty of ['', []]) {
    assert.match(said(flagged, { isOn: empty }), /`isOn` must be true or false/)
    assert.match(said(flagged, { inner: empty }), /`inner` must be an object/)
  }
})

test('only snake_case is another spelling', () => {
  for (const name of [
    'PublicKey',
    'publickey',
    'public-key',
    '_public_key',
    'public_key_',
    'public__key',
    'public_Key',
    'PUBLIC_KEY',
  ])
    assert.equal(said(shape, { ...plain, [name]: 'x' }), `\`${name}\` is not a field of this request`)
})

test('an empty value that a field counts as given is handed to its shape', () => {
  assert.deepEqual(shape.read({ ...plain, endsAt: '' }, '', 'lenient'), { ...read, endsAt: '' })
  assert.deepEqual(shape.read({ ...plain, endsAt: null }, '', 'lenient'), read)
  assert.equal(said(shape, { ...plain, endsAt: [] }), '`endsAt` must be a string, not a list')
})

test('what is no request is read to the letter', () => {
  assert.match(said(shape, { ...plain, unknown: null }, 'strict'), /`unknown` is not a field/)
  assert.match(said(shape, { public_key: 'k' }, 'strict'), /missing field `publicKey`/)
  assert.match(said(shape, { ...plain, hashFunction: '' }, 'strict'), /`hashFunction` must be one of/)
  assert.deepEqual(shape.read({ ...plain, hashFunction: null }, '', 'strict'), read)
})

function said(of: Shape<unknown>, sent: unknown, reading: 'strict' | 'lenient' = 'lenient'): string {
  try {
    of.read(sent, '', reading)
  } catch (error) {
    if (error instanceof Failure) return error.message.replace(/^invalid request body: (field )?/, '')
    throw error
  }
  return 'nothing'
}
