import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { Failure } from '../../base/failure.ts'
import type { SeenValue } from '../transaction.ts'
import { checkSolanaInterface, readInstruction, readSolanaInterface } from './idl.ts'

const PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'

/** A type as an IDL has it; the definitions that it names; a value of it encoded by hand; and what we make of that. */
type Sample = {
  readonly type: unknown
  readonly types: readonly unknown[]
  readonly encoded: Buffer
  readonly seen: SeenValue
}

const integer = fc
  .tuple(fc.constantFrom(1, 2, 4, 8, 16), fc.boolean(), fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }))
  .map(([bytes, isSigned, any]): Sample => {
    const unsigned = BigInt.asUintN(bytes * 8, any)
    const encoded = Buffer.from(unsigned.toString(16).padStart(bytes * 2, '0'), 'hex').reverse()
    const seen = isSigned ? BigInt.asIntN(bytes * 8, any) : unsigned
    return { type: `${isSigned ? 'i' : 'u'}${bytes * 8}`, types: [], encoded, seen }
  })

const float = fc.tuple(fc.constantFrom(4, 8), fc.double({ noNaN: true })).map(([bytes, any]): Sample => {
  const value = bytes === 4 ? Math.fround(any) : any
  const encoded = Buffer.alloc(bytes)
  if (bytes === 4) encoded.writeFloatLE(value)
  else encoded.writeDoubleLE(value)
  return { type: `f${bytes * 8}`, types: [], encoded, seen: Object.is(value, -0) ? '-0' : `${value}` }
})

const elementary = fc.oneof(
  integer,
  float,
  fc.boolean().map((seen): Sample => ({ type: 'bool', types: [], encoded: Buffer.of(seen ? 1 : 0), seen })),
  fc.uint8Array({ maxLength: 40 }).map(
    (bytes): Sample => ({
      type: 'bytes',
      types: [],
      encoded: prefixed(bytes),
      seen: Buffer.from(bytes).toString('hex'),
    }),
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((seen): Sample => ({ type: 'string', types: [], encoded: prefixed(Buffer.from(seen)), seen })),
  fc
    .tuple(fc.constantFrom('publicKey', 'pubkey'), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([type, key]): Sample => ({ type, types: [], encoded: Buffer.from(key), seen: base58.encode(key) })),
)

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    elementary,
    fc.tuple(tie('sample'), fc.nat(3), fc.boolean()).map(
      ([of, length, isFixed]): Sample => ({
        type: isFixed ? { array: [of.type, length] } : { vec: of.type },
        types: of.types,
        encoded: Buffer.concat([isFixed ? Buffer.alloc(0) : little(length), ...repeated(of.encoded, length)]),
        seen: repeated(of.seen, length),
      }),
    ),
    // Whether there is a thing that takes no bytes is not shown: of neither can anything be asked.
    fc
      .tuple(
        tie('sample').filter(({ encoded }) => encoded.length > 0),
        fc.boolean(),
      )
      .map(
        ([of, isThere]): Sample => ({
          type: { option: of.type },
          types: of.types,
          encoded: isThere ? Buffer.concat([Buffer.of(1), of.encoded]) : Buffer.of(0),
          seen: isThere ? of.seen : {},
        }),
      ),
    fc
      .tuple(
        fc.array(tie('sample'), { maxLength: 3 }),
        fc.constantFrom('struct', 'enum', 'alias'),
        fc.boolean(),
        fc.uuid(),
      )
      .map(defined),
  ),
}))

function defined([parts, kind, isTuple, name]: [Sample[], string, boolean, string]): Sample {
  const first = parts[0]
  const isNamed = !isTuple || parts.length === 0
  const fields = parts.map(({ type }, index) => (isNamed ? { name: `f${index}`, type } : type))
  const seenFields = isNamed
    ? Object.fromEntries(parts.map(({ seen }, index) => [`f${index}`, seen]))
    : parts.map(({ seen }) => seen)
  const encoded = Buffer.concat(parts.map((part) => part.encoded))
  const types = parts.flatMap((part) => part.types)
  const type = isTuple ? { defined: name } : { defined: { name } }
  const define = (definition: unknown) => [...types, { name, type: definition }]
  if (kind === 'alias' && first !== undefined) {
    const alias = isTuple ? { kind, value: first.type } : { kind: 'type', alias: first.type }
    return { ...first, type, types: [...first.types, { name, type: alias }] }
  }
  if (kind !== 'enum') return { type, types: define({ kind: 'struct', fields }), encoded, seen: seenFields }
  const variants = [
    { name: 'Other', fields: ['string'] },
    parts.length === 0 ? { name: 'It' } : { name: 'It', fields },
  ]
  return {
    type,
    types: define({ kind, variants }),
    encoded: Buffer.concat([Buffer.of(1), encoded]),
    seen: parts.length === 0 ? 'It' : { It: seenFields },
  }
}

function repeated<T>(value: T, length: number): readonly T[] {
  return Array.from({ length }, () => value)
}

function little(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(length)
  return bytes
}

function prefixed(bytes: Uint8Array): Buffer {
  return Buffer.concat([little(bytes.length), bytes])
}

const TAG = [1, 2, 3]

function idlOf(samples: readonly Sample[]): string {
  const args = samples.map(({ type }, index) => ({ name: `a${index}`, type }))
  const types = samples.flatMap((each) => each.types)
  const seen = new Set<unknown>()
  const unique = types.filter((each) => {
    const { name } = each as { readonly name: string } // every definition above has one
    return !seen.has(name) && seen.add(name)
  })
  return JSON.stringify({
    instructions: [{ name: 'f', discriminator: TAG, accounts: [], args }],
    types: unique,
  })
}

test('what is encoded in Borsh is read as it was given, with every type and nesting', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
      const data = Buffer.concat([Buffer.from(TAG), ...samples.map(({ encoded }) => encoded)])
      const read = readInstruction(idlOf(samples), PROGRAM, data, [])
      const args = Object.fromEntries(samples.map(({ seen }, index) => [`a${index}`, seen]))
      assert.deepEqual(read, {
        instructionName: 'f',
        discriminator: '010203',
        namedAccounts: {},
        programCallArgs: args,
      })
    }),
    { numRuns: 2000 },
  )
})

test('data that is cut short or goes on shows no arguments; two different data never show the same', () => {
  fc.assert(
    fc.property(
      fc.array(sample, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (samples, place, flip) => {
        const idl = idlOf(samples)
        const data = Buffer.concat([Buffer.from(TAG), ...samples.map(({ encoded }) => encoded)])
        const args = (of: Uint8Array) => readInstruction(idl, PROGRAM, of, [])?.programCallArgs
        assert.deepEqual(args(Buffer.concat([data, Buffer.of(0)])), {})
        if (data.length === TAG.length) return
        assert.deepEqual(args(data.subarray(0, -1)), {})
        const changed = Buffer.from(data)
        const at = TAG.length + (place % (data.length - TAG.length))
        changed[at] = (changed[at] ?? 0) ^ flip
        assert.notDeepEqual(args(changed), args(data))
      },
    ),
    { numRuns: 2000 },
  )
})

test('a discriminator that is not given is the one that Anchor derives, from names of either style', () => {
  const known = {
    initialize: 'afaf6d1f0d989bed',
    route: 'e517cb977ae3ad2a',
    swap: 'f8c69e91e17587c8',
    sharedAccountsRoute: 'c1209b3341d69c81',
    shared_accounts_route: 'c1209b3341d69c81',
  }
  for (const [name, discriminator] of Object.entries(known)) {
    const idl = JSON.stringify({ instructions: [{ name, accounts: [], args: [] }], types: [] })
    const read = readInstruction(idl, PROGRAM, Buffer.from(discriminator, 'hex'), [])
    assert.equal(read?.instructionName, name)
    assert.equal(read?.discriminator, discriminator)
  }
  const swapV2 = createHash('sha256').update('global:swap_v2').digest().subarray(0, 8)
  const idl = JSON.stringify({ instructions: [{ name: 'swapV2', accounts: [], args: [] }], types: [] })
  assert.equal(readInstruction(idl, PROGRAM, swapV2, [])?.instructionName, 'swapV2')
})

const accounts = [
  { name: 'payer', isMut: true, isSigner: true },
  { name: 'mint', writable: true, signer: false, optional: true },
  { name: 'pool', accounts: [{ name: 'vault' }, { name: 'mint' }] },
]
const swap = { name: 'swap', discriminator: [9], accounts, args: [] }

test('accounts have the names of the interface, those of groups after the name of the group', () => {
  const idl = JSON.stringify({
    version: '0.1.0',
    metadata: { address: 'x' },
    instructions: [swap],
    types: [],
  })
  const named = (keys: readonly string[]) => readInstruction(idl, PROGRAM, Buffer.of(9), keys)?.namedAccounts
  assert.deepEqual(named(['A', 'B', 'ADDRESS_TABLE_LOOKUP', 'D', 'more', 'and more']), {
    payer: 'A',
    mint: 'B',
    'pool.vault': 'ADDRESS_TABLE_LOOKUP',
    'pool.mint': 'D',
  })
  assert.deepEqual(named(['A', 'B']), { payer: 'A', mint: 'B' })
})

test('an instruction that the interface does not have, or another program, is not read', () => {
  const idl = JSON.stringify({ address: PROGRAM, instructions: [swap], types: [] })
  assert.equal(readInstruction(idl, PROGRAM, Buffer.of(8), []), undefined)
  assert.equal(readInstruction(idl, PROGRAM, Buffer.alloc(0), []), undefined)
  assert.equal(readInstruction(idl, '1'.repeat(32), Buffer.of(9), []), undefined)
  assert.throws(() => checkSolanaInterface(idl, '1'.repeat(32)), /idl\.address: is of the program "JUP6/)
  checkSolanaInterface(idl, PROGRAM)
})

test('types are nested no deeper however they are read: from the outermost on, or each before the one around it', () => {
  const typesOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: `T${at}`,
      type: { kind: 'struct', fields: at === 0 ? [] : [{ name: 'a', type: { defined: `T${at - 1}` } }] },
    }))
  const takes = (at: number) => ({
    name: `take${at}`,
    accounts: [],
    args: [{ name: 'a', type: { defined: `T${at}` } }],
  })
  const idl = (count: number, first: number) =>
    JSON.stringify({
      types: typesOf(count),
      instructions: Array.from({ length: count - first }, (_, at) => takes(first + at)),
    })
  for (const first of [0, 15]) assert.ok(readSolanaInterface(idl(16, first)))
  for (const first of [0, 16])
    assert.throws(() => readSolanaInterface(idl(17, first)), /types nested deeper than 16/)
})

test('of the types only those that instructions take are read', () => {
  const types = [{ name: 'Account', generics: [{ kind: 'type' }], type: { kind: 'map' } }]
  assert.equal(readSolanaInterface(JSON.stringify({ instructions: [swap], types })).instructions.size, 1)
})

const badFlags: readonly (readonly [string, unknown, string])[] = [
  ['a bool of 2', 'bool', '02'],
  ['an option of 2', { option: 'u8' }, '0200'],
  ['a variant that there is not', { defined: 'E' }, '01'],
  ['a float that is no number', 'f32', '0000c07f'],
  ['a string that is not UTF-8', 'string', '01000000ff'],
  ['a length beyond the data', { vec: 'u8' }, 'ffffffff00'],
  ['a million things that take no bytes', { vec: { defined: 'S' } }, '40420f00'],
  ['a million lists of them', { vec: { array: [{ defined: 'S' }, 1_000_000_000] } }, '40420f00'],
]

test('data that Borsh has no value for shows no arguments, and takes no time', () => {
  const types = [
    { name: 'E', type: { kind: 'enum', variants: [{ name: 'A' }] } },
    { name: 'S', type: { kind: 'struct' } },
  ]
  for (const [name, type, hex] of badFlags) {
    const instructions = [{ ...swap, args: [{ name: 'a', type }] }]
    const data = Buffer.from(`09${hex}`, 'hex')
    const read = readInstruction(JSON.stringify({ instructions, types }), PROGRAM, data, [])
    assert.deepEqual(read?.programCallArgs, {}, name)
  }
})

const withArg = (type: unknown, ...types: unknown[]) => ({
  instructions: [{ ...swap, args: [{ name: 'a', type }] }],
  types,
})
const struct = (name: string, type: unknown) => ({
  name,
  type: { kind: 'struct', fields: [{ name: 'x', type }] },
})

const refused: readonly (readonly [unknown, RegExp])[] = [
  [[], /^invalid smart contract interface: idl: expected an object, got an array$/],
  [{ types: [] }, /idl\.instructions: missing$/],
  [{ instructions: [] }, /idl\.types: missing$/],
  [{ instructions: [{ ...swap, name: '' }], types: [] }, /idl\.instructions\[0\]\.name: "" is not a name$/],
  [{ instructions: [{ ...swap, accounts: undefined }], types: [] }, /instructions\[0\]\.accounts: missing$/],
  [{ instructions: [{ ...swap, args: undefined }], types: [] }, /instructions\[0\]\.args: missing$/],
  [{ instructions: [{ ...swap, discriminator: [] }], types: [] }, /discriminator: expected 1 to 32 bytes$/],
  [
    { instructions: [{ ...swap, discriminator: [256] }], types: [] },
    /discriminator: expected 1 to 32 bytes$/,
  ],
  [
    { instructions: [{ ...swap, discriminant: { type: 'u8', value: 1 } }], types: [] },
    /discriminant: is not of an IDL of Anchor$/,
  ],
  [
    { instructions: [{ ...swap, accounts: [{ name: 'a' }, { name: 'a' }] }], types: [] },
    /a second account "a"$/,
  ],
  [
    { instructions: [swap, { ...swap, name: 'other', discriminator: [9, 1] }], types: [] },
    /the discriminators of "swap" and "other" begin alike$/,
  ],
  [withArg('u256'), /instructions\[0\]\.args\[0\]\.type: unknown type "u256"$/],
  [withArg({ coption: 'u8' }), /args\[0\]\.type\.coption: unknown type "coption"$/],
  [withArg({ vec: 'u8', option: 'u8' }), /args\[0\]\.type: expected a type$/],
  [withArg({ array: ['u8', -1] }), /type\.array: expected a type and a length$/],
  [withArg({ array: ['u8', { generic: 'N' }] }), /type\.array: expected a type and a length$/],
  [withArg({ defined: 'Gone' }), /type\.defined: no type "Gone" among the types$/],
  [withArg({ defined: 'toString' }), /no type "toString" among the types$/],
  [withArg({ defined: 'A' }, struct('A', { vec: { defined: 'A' } })), /the type "A" contains itself$/],
  [withArg({ defined: 'A' }, struct('A', 'u8'), struct('A', 'u8')), /idl\.types\[1\]: a second type "A"$/],
  [
    withArg({ defined: 'A' }, { ...struct('A', 'u8'), generics: [{ kind: 'type' }] }),
    /generic types are not supported$/,
  ],
  [
    withArg({ defined: 'A' }, { ...struct('A', 'u8'), serialization: 'bytemuck' }),
    /unknown serialization "bytemuck"$/,
  ],
  [
    withArg({ defined: 'A' }, { name: 'A', type: { kind: 'union' } }),
    /types\[0\]\.type\.kind: unknown kind "union"$/,
  ],
  [{ instructions: [swap], types: [], address: 7 }, /idl\.address: 7 is not a name$/],
]

test('an IDL that is not understood is refused, and the place is named', () => {
  for (const [idl, message] of refused) {
    assert.throws(() => checkSolanaInterface(JSON.stringify(idl), PROGRAM), { message })
  }
})

test('types that double with every level take no longer than their values deserve', () => {
  const level = (index: number) => ({
    name: `L${index}`,
    type: {
      kind: 'struct',
      fields: [0, 1].map((each) => ({
        name: `f${each}`,
        type: index === 0 ? 'u8' : { defined: `L${index - 1}` },
      })),
    },
  })
  const types = Array.from({ length: 16 }, (_, index) => level(index))
  const instructions = [{ ...swap, args: [{ name: 'a', type: { defined: 'L15' } }] }]
  const idl = readSolanaInterface(JSON.stringify({ instructions, types }))
  const read = readInstruction(idl, PROGRAM, Buffer.concat([Buffer.of(9), Buffer.alloc(2 ** 16)]), [])
  assert.deepEqual(read?.programCallArgs, {})
})

test('reading any text as an IDL gives instructions or a failure', () => {
  const type = fc.oneof(
    fc.constantFrom(
      'u8',
      'string',
      'x',
      { vec: 'u8' },
      { defined: 'A' },
      { defined: { name: 'B' } },
      { array: ['A', 1] },
    ),
    fc.jsonValue(),
  )
  const field = fc.record({ name: fc.constantFrom('a', 'b', '', 7), type }, { requiredKeys: [] })
  const instruction = fc.record(
    {
      name: fc.constantFrom('f', 'g', ''),
      accounts: fc.array(
        fc.record({ name: fc.constantFrom('a', 'b'), accounts: fc.jsonValue() }, { requiredKeys: ['name'] }),
      ),
      args: fc.oneof(fc.array(field), fc.jsonValue()),
      discriminator: fc.oneof(fc.array(fc.nat(300), { maxLength: 3 }), fc.jsonValue()),
    },
    { requiredKeys: ['name', 'accounts', 'args'] },
  )
  const definition = fc.record({
    name: fc.constantFrom('A', 'B', 'C'),
    type: fc.record(
      {
        kind: fc.constantFrom('struct', 'enum', 'alias', 'type'),
        fields: fc.array(fc.oneof(field, type)),
        variants: fc.array(fc.oneof(field, fc.jsonValue())),
        value: type,
        alias: type,
      },
      { requiredKeys: ['kind'] },
    ),
  })
  const idl = fc.record({
    instructions: fc.array(instruction),
    types: fc.array(definition, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        idl.map((each) => JSON.stringify(each)),
      ),
      fc.uint8Array(),
      (text, data) => {
        try {
          readInstruction(text, PROGRAM, data, ['A'])
        } catch (thrown) {
          assert.ok(thrown instanceof Failure && thrown.kind === 'invalidContractInterface', String(thrown))
        }
      },
    ),
    { numRuns: 3000 },
  )
})
