import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vectors } from '../../../../test/support/vectors.ts'
import { Failure } from '../../base/failure.ts'
import { parseTypedData } from './eip712.ts'
import { encodeType, typedDataDigest } from './eip712-digest.ts'

type EthersCase = { readonly name: string; readonly data: unknown; readonly digest: string } & {
  readonly [part in 'types' | 'domain' | 'primaryType']: unknown
}

test('typed data has the digest that ethers gives it', () => {
  const cases = vectors<readonly EthersCase[]>('ethers/typed-data.json')

  for (const { name, types, domain, primaryType, data, digest } of cases) {
    assert.equal(digestOf({ types, domain, primaryType, message: data }), digest, name)
  }
  assert.equal(cases.length, 130)
})

test('the type of the domain may be declared, in any place, or left to be derived', () => {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]

  assert.equal(digestOf(mail), MAIL_DIGEST)
  assert.equal(digestOf({ ...mail, types: { EIP712Domain, ...mail.types } }), MAIL_DIGEST)
  assert.equal(digestOf({ ...mail, types: { ...mail.types, EIP712Domain } }), MAIL_DIGEST)
})

test('fields of the domain are hashed in the order of the standard, not of the text', () => {
  const { verifyingContract, chainId, version, name } = mail.domain

  assert.equal(digestOf({ ...mail, domain: { verifyingContract, chainId, version, name } }), MAIL_DIGEST)
})

test('a declared domain is hashed as declared, with fields of its own', () => {
  const EIP712Domain = [
    { name: 'verifyingContract', type: 'string' },
    { name: 'feature', type: 'bytes4' },
  ]
  const domain = { verifyingContract: 'cosmos', feature: '0x00000001' }

  const { types } = parse({ ...mail, domain, types: { ...mail.types, EIP712Domain } })

  assert.equal(encodeType('EIP712Domain', types), 'EIP712Domain(string verifyingContract,bytes4 feature)')
})

test('an integer has one digest, however it is written', () => {
  for (const chainId of [1, '1', '0x1', '0x01']) {
    assert.equal(digestOf({ ...mail, domain: { ...mail.domain, chainId } }), MAIL_DIGEST)
  }
  for (const wide of ['115792089237316195423570985008687907853269984665640564039457584007913129639935']) {
    assert.equal(digestOf(one('uint256', wide)), digestOf(one('uint256', `0x${'f'.repeat(64)}`)))
  }
})

test('an address has one digest, whatever its case', () => {
  const lower = mail.message.from.wallet.toLowerCase()
  const upper = `0x${lower.slice(2).toUpperCase()}`

  for (const wallet of [lower, upper]) {
    const message = { ...mail.message, from: { name: 'Cow', wallet } }
    assert.equal(digestOf({ ...mail, message }), MAIL_DIGEST)
  }
})

test('the type text lists what a struct reaches, itself first and the others by name', () => {
  const { types } = parse({
    types: {
      Z: [{ name: 'b', type: 'B[2][]' }],
      B: [
        { name: 'a', type: 'A' },
        { name: 'again', type: 'B[]' },
      ],
      A: [{ name: 'n', type: 'uint8' }],
      Unused: [{ name: 'z', type: 'Z' }],
    },
    domain: {},
    primaryType: 'Z',
    message: { b: [] },
  })

  assert.equal(encodeType('Z', types), 'Z(B[2][] b)A(uint8 n)B(A a,B[] again)')
})

test('a struct may hold itself in an array, and not directly', () => {
  const tree = (type: string, message: object) => ({
    types: {
      Node: [
        { name: 'value', type: 'uint8' },
        { name: 'next', type },
      ],
    },
    domain: {},
    primaryType: 'Node',
    message,
  })

  const leaf = { value: 2, next: [] }
  assert.notEqual(
    digestOf(tree('Node[]', { value: 1, next: [leaf] })),
    digestOf(tree('Node[]', { value: 1, next: [leaf, leaf] })),
  )
  refuses(
    tree('Node', { value: 1, next: { value: 2, next: null } }),
    'message.next.next: expected an object, got null',
  )
})

test('the parsed form says what each value is', () => {
  const { primaryType, domain, message } = parse(mail)
  const from = message.fields.get('from')

  assert.equal(primaryType, 'Mail')
  assert.deepEqual(domain.fields.get('chainId'), { kind: 'integer', integer: 1n })
  assert.ok(from?.kind === 'struct')
  assert.deepEqual(from.fields.get('wallet'), {
    kind: 'address',
    address: Buffer.from('cd2a3d9f938e13cd947ec05abc7fe734df8dd826', 'hex'),
  })
})

test('a value outside of its type is refused, with the place where it stands', () => {
  const refusals = [
    ['uint8', 256, '256 is out of range'],
    ['uint8', -1, '-1 is out of range'],
    ['int8', 128, '128 is out of range'],
    ['int8', '-129', '"-129" is out of range'],
    ['uint256', `0x1${'0'.repeat(64)}`, `"0x1${'0'.repeat(61)}…" is out of range`],
    ['uint256', 1.5, 'expected an integer'],
    ['uint256', '01', 'expected an integer'],
    ['uint256', '-0', 'expected an integer'],
    ['uint256', '1e3', 'expected an integer'],
    ['uint256', ' 1', 'expected an integer'],
    ['uint256', '', 'expected an integer'],
    ['uint256', '0x', 'expected an integer'],
    ['int256', '-0x1', 'expected an integer'],
    ['uint256', true, 'expected an integer'],
    ['uint256', null, 'expected an integer'],
    ['bool', 1, 'expected true or false, got 1'],
    ['bool', 'true', 'expected true or false, got "true"'],
    ['string', 1, 'expected a string, got 1'],
    ['address', `0x${'00'.repeat(19)}`, 'expected an address'],
    ['address', '00'.repeat(20), 'expected an address'],
    ['bytes', 'ab', 'expected bytes'],
    ['bytes', '0xabc', 'expected bytes'],
    ['bytes', [1, 2], 'expected bytes as 0x and an even number of hexadecimal digits, got an array'],
    ['bytes4', '0xaabbcc', 'expected 4 bytes, got 3'],
    ['uint8[]', {}, 'expected an array, got an object'],
    ['uint8[2]', [1], 'expected 2 elements, got 1'],
  ] as const
  for (const [type, value, what] of refusals) refuses(one(type, value), `message.x: ${what}`)
  refuses(
    one('uint8[2][]', [
      [1, 2],
      [3, 400],
    ]),
    'message.x[1][1]: 400 is out of range',
  )
})

test('an integer that JSON readers round is refused before it is read', () => {
  for (const number of ['9007199254740993', '1e18', '9007199254740992.0']) {
    const payload = JSON.stringify(one('uint256', 'N')).replace('"N"', number)

    assert.throws(
      () => parseTypedData(payload),
      /^Failure: invalid payload encoding: EIP-712 typed data: .*send it as a string/,
    )
  }
})

test('a type that is unknown, ambiguous or badly written is refused', () => {
  const unknown = [
    'uint',
    'int',
    'uint7',
    'uint264',
    'uint0',
    'uint08',
    'bytes0',
    'bytes33',
    'Person',
    '',
    'toString',
  ]
  for (const type of unknown) refuses(one(type, 1), `types.T[0]: unknown type "${type}"`)
  for (const type of [
    'uint8[',
    'uint8[0]',
    'uint8[01]',
    'uint8[-1]',
    'uint8[]x',
    `uint8${'[]'.repeat(17)}`,
  ]) {
    refuses(one(type, []), `types.T[0]: "${type}" is not a type`)
  }
  refuses(one('uint', 1), 'types.T[0]: unknown type "uint", write uint256')
})

test('a struct is not named as an elementary type, nor with characters of the type text', () => {
  for (const name of ['uint256', 'uint7', 'string', 'bytes', 'bool', 'address', 'function', 'fixed']) {
    refuses(
      { ...one('uint8', 1), types: { [name]: [], T: [] } },
      `types: "${name}" is the name of an elementary`,
    )
  }
  for (const name of ['A(uint8 x)', 'A,B', 'A[]', 'A B', '', 'Ä', 'A\n']) {
    refuses(
      { ...one('uint8', 1), types: { [name]: [], T: [] } },
      `types: ${JSON.stringify(name)} is not a type name`,
    )
    refuses(
      { ...one('uint8', 1), types: { T: [{ name, type: 'uint8' }] } },
      `types.T[0]: ${JSON.stringify(name)} is not a field name`,
    )
  }
  assert.doesNotThrow(() =>
    parse({ ...one('uint8', 1), types: { 'Exchange:Send': [], T: [{ name: 'x', type: 'uint8' }] } }),
  )
})

test('what is missing, unknown or given twice is refused', () => {
  const { contents: _contents, ...withoutContents } = mail.message
  const { domain: _domain, ...withoutDomain } = mail
  const field = { name: 'x', type: 'uint8' }

  refuses({ ...mail, message: withoutContents }, 'message: "contents" is missing')
  refuses({ ...mail, message: { ...mail.message, cc: 'Eve' } }, 'message: "cc" is not one of its fields')
  refuses({ ...mail, message: null }, 'message: expected an object, got null')
  refuses({ ...mail, account: 'Eve' }, '"account" is not one of its fields')
  refuses(withoutDomain, '"domain" is missing')
  refuses(
    { ...mail, domain: { ...mail.domain, chain: 1 } },
    'domain: "chain" is not one of its fields; declare',
  )
  refuses({ ...mail, domain: { name: null } }, 'domain.name: expected a string, got null')
  refuses({ ...mail, primaryType: 'Letter' }, 'primaryType: "Letter" is not one of the types')
  refuses({ ...mail, primaryType: 'constructor' }, 'primaryType: "constructor" is not one of the types')
  refuses({ ...mail, primaryType: 'EIP712Domain' }, 'primaryType: EIP712Domain cannot be the message')
  refuses({ ...one('uint8', 1), types: { T: [field, field] } }, 'types.T: two fields named "x"')
  refuses({ ...one('uint8', 1), types: { T: [{ ...field, indexed: true }] } }, 'types.T[0]: "indexed" is not')
  refuses({ ...one('uint8', 1), types: { T: {} } }, 'types.T: expected an array of fields, got an object')
  // An inherited member is not a member that was sent.
  refuses(
    { ...one('uint8', 1), types: { T: [{ name: 'toString', type: 'string' }] }, message: {} },
    'message: "toString" is missing',
  )
})

test('what is too deep, too long or too much is refused', () => {
  const manyTypes = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`T${index}`, []]))
  const longTypes = Array.from({ length: 1000 }, (_, index) => ({ name: `field${index}`, type: 'uint8' }))
  const nested = JSON.stringify(one('uint8[]', 0)).replace(
    '"x":0',
    `"x":${'['.repeat(100)}${']'.repeat(100)}`,
  )

  refuses({ ...one('uint8', 1), types: manyTypes }, 'types: more than 64 types')
  refuses({ ...one('uint8', 1), types: { T: longTypes } }, 'types: longer than 32768 characters')
  refuses(
    one(
      'bool[]',
      Array.from({ length: 16_384 }, () => true),
    ),
    'message.x[16383]: too many values in one payload',
  )
  assert.throws(() => parseTypedData(nested), /nesting deeper than 32/)
  assert.throws(() => parseTypedData('x'.repeat(262_145)), /typed data is longer than 262144 characters/)
})

test('whatever is well typed is read and has a digest', () => {
  fc.assert(
    fc.property(wellTyped, (json) => {
      assert.equal(typedDataDigest(parse(json)).length, 32)
    }),
    { numRuns: 300 },
  )
})

test('well-typed data with any one value exchanged still has a digest or is refused cleanly', () => {
  let refused = 0
  fc.assert(
    fc.property(wellTyped, fc.nat(), fc.jsonValue({ maxDepth: 3 }), (json, position, other) => {
      let left = position % 40
      // The value visited at a random position is exchanged, whatever it is: a name, a type, a member, a whole object.
      const exchanged = JSON.stringify(json, (_key, value) => (left-- === 0 ? other : value))
      try {
        assert.equal(typedDataDigest(parseTypedData(exchanged)).length, 32)
      } catch (thrown) {
        assert.ok(thrown instanceof Failure, String(thrown))
        refused++
      }
    }),
    { numRuns: 1000 },
  )
  assert.ok(refused > 20, `${refused} were refused`)
})

test('a change of any value changes the digest', () => {
  const types = {
    T: [
      { name: 'n', type: 'int64' },
      { name: 's', type: 'string' },
      { name: 'b', type: 'bytes' },
    ],
  }
  const message = fc.record({
    n: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    s: fc.string({ unit: 'grapheme' }),
    b: fc.uint8Array().map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  })
  const digest = (each: object) => digestOf({ types, domain: {}, primaryType: 'T', message: each })

  fc.assert(
    fc.property(message, message, (item, other) => {
      const isSame = JSON.stringify(item) === JSON.stringify(other)
      assert.equal(digest(item) === digest(other), isSame)
    }),
    { numRuns: 100 },
  )
})

// EIP-712, "Example"; its digest is published with the standard.
const MAIL_DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
const mail = {
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

const bytesOf = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

/** A type with values that fit it. */
const elementary: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
  ['uint8', fc.nat({ max: 255 })],
  ['int256', fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n }).map(String)],
  ['bool', fc.boolean()],
  ['bytes', fc.nat({ max: 40 }).chain(bytesOf)],
  ['bytes31', bytesOf(31)],
  ['string', fc.string({ unit: 'grapheme' })],
  ['address', bytesOf(20)],
]

const typeAndValue: fc.Arbitrary<readonly [string, unknown]> = fc
  .constantFrom(...elementary)
  .chain(([type, value]) =>
    fc.oneof(
      value.map((single) => [type, single] as const),
      fc.array(value, { maxLength: 3 }).map((elements) => [`${type}[]`, elements] as const),
      fc.tuple(value, value).map((pair) => [`${type}[2][]`, [pair]] as const),
    ),
  )

/** A struct `T` with a field for each member, the last of them another struct. */
const wellTyped = fc
  .record({
    outer: fc.array(typeAndValue, { maxLength: 4 }),
    inner: fc.array(typeAndValue, { maxLength: 3 }),
  })
  .map(({ outer, inner }) => {
    const fieldsOf = (members: typeof inner) => members.map(([type], index) => ({ name: `f${index}`, type }))
    const valuesOf = (members: typeof inner) =>
      Object.fromEntries(members.map(([, value], index) => [`f${index}`, value]))
    return {
      types: { T: [...fieldsOf(outer), { name: 'inner', type: 'U[]' }], U: fieldsOf(inner) },
      domain: { chainId: 1 },
      primaryType: 'T',
      message: { ...valuesOf(outer), inner: [valuesOf(inner)] },
    }
  })

/** A message with one field, `x`. */
function one(type: string, value: unknown) {
  return { types: { T: [{ name: 'x', type }] }, domain: {}, primaryType: 'T', message: { x: value } }
}

function parse(json: object) {
  return parseTypedData(JSON.stringify(json))
}

function digestOf(json: object): string {
  return `0x${Buffer.from(typedDataDigest(parse(json))).toString('hex')}`
}

function refuses(json: object, what: string): void {
  const start = `invalid payload encoding: EIP-712 typed data: ${what}`
  assert.throws(
    () => parse(json),
    (thrown) => {
      assert.ok(thrown instanceof Failure, String(thrown))
      assert.equal(thrown.code, 3)
      assert.equal(thrown.message.slice(0, start.length), start)
      return true
    },
  )
}
