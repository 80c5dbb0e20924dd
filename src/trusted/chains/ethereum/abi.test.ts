import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbiCoder, Interface } from 'ethers'
import fc from 'fast-check'
import { type Abi, encodeAbiParameters, encodeFunctionData, toFunctionSelector } from 'viem'
import { fromHex } from '../../base/bytes.ts'
import { costs } from '../../base/costs.ts'
import { Caseless } from '../../base/caseless.ts'
import { countedReads } from '../../../../test/support/counted-reads.ts'
import { Failure } from '../../base/failure.ts'
import type { SeenValue } from '../transaction.ts'
import { type ContractCall, ethereumInterfaceSteps, readCall, readEthereumInterface } from './abi.ts'

/** A parameter as an ABI has it, a value as encoders take it, and what we make of the value. */
type Sample = { readonly parameter: Parameter; readonly value: unknown; readonly seen: SeenValue }
type Parameter = { readonly name?: string; readonly type: string; readonly components?: readonly Parameter[] }

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8)

const hexOf = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

const elementary: fc.Arbitrary<Parameter> = fc.oneof(
  bits.map((size) => ({ type: `uint${size}` })),
  bits.map((size) => ({ type: `int${size}` })),
  fc.integer({ min: 1, max: 32 }).map((length) => ({ type: `bytes${length}` })),
  fc.constantFrom('address', 'bool', 'bytes', 'string').map((type) => ({ type })),
)

const { parameter } = fc.letrec<{ parameter: Parameter }>((tie) => ({
  parameter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    elementary,
    fc
      .tuple(tie('parameter'), fc.constantFrom('[]', '[1]', '[2]', '[3]'))
      .map(([of, dimension]) => ({ ...of, type: `${of.type}${dimension}` })),
    fc.array(tie('parameter'), { minLength: 1, maxLength: 3 }).map((components) => ({
      type: 'tuple',
      components: components.map((component, index) => ({ ...component, name: `f${index}` })),
    })),
  ),
}))

function valueOf(of: Parameter): fc.Arbitrary<Omit<Sample, 'parameter'>> {
  const array = /^(.*)\[(\d*)\]$/.exec(of.type)
  if (array !== null) {
    const length =
      array[2] === '' ? { maxLength: 3 } : { minLength: Number(array[2]), maxLength: Number(array[2]) }
    return fc.array(valueOf({ ...of, type: array[1] ?? '' }), length).map(listed)
  }
  if (of.type === 'tuple') return fc.tuple(...(of.components ?? []).map(valueOf)).map(listed)
  const size = Number(/\d+$/.exec(of.type)?.[0] ?? 0)
  if (of.type.startsWith('uint')) return fc.bigInt({ min: 0n, max: 2n ** BigInt(size) - 1n }).map(same)
  if (of.type.startsWith('int')) {
    const half = 2n ** BigInt(size - 1)
    return fc.bigInt({ min: -half, max: half - 1n }).map(same)
  }
  if (of.type === 'bool') return fc.boolean().map(same)
  if (of.type === 'string') return fc.string({ unit: 'grapheme', maxLength: 40 }).map(same)
  if (of.type === 'address') return hexOf(20).map((value) => ({ value, seen: new Caseless(value) }))
  return fc
    .integer({ min: 0, max: 40 })
    .chain((length) => hexOf(of.type === 'bytes' ? length : size))
    .map((value) => ({ value, seen: value.length === 42 ? new Caseless(value) : value }))
}

function same<T extends SeenValue>(value: T) {
  return { value, seen: value }
}

function listed(items: readonly Omit<Sample, 'parameter'>[]) {
  return { value: items.map(({ value }) => value), seen: items.map(({ seen }) => seen) }
}

/** A function `f` with up to four parameters, and arguments for it. */
const sampleCall = fc
  .array(parameter, { maxLength: 4 })
  .chain((parameters) =>
    fc
      .tuple(...parameters.map(valueOf))
      .map((values) =>
        values.map((value, index) => ({ ...value, parameter: named(parameters[index], index) })),
      ),
  )
  .map((samples) => {
    const inputs = samples.map((sample) => sample.parameter)
    const abi = [{ type: 'function', name: 'f', inputs, outputs: [], stateMutability: 'nonpayable' }]
    return { abi, samples, seen: Object.fromEntries(samples.map(({ seen }, index) => [`a${index}`, seen])) }
  })

function named(of: Parameter | undefined, index: number): Parameter {
  return { type: '', ...of, name: `a${index}` }
}

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex.slice(2)) ?? new Uint8Array()
}

test('what viem and ethers encode is read as it was given, with every type and nesting', () => {
  fc.assert(
    fc.property(sampleCall, ({ abi, samples, seen }) => {
      const args = samples.map((sample) => viemValue(sample.parameter, sample.value))
      // The types of an ABI that is only known when it is run are not known to viem's types either.
      const byViem = encodeFunctionData({ abi: abi as Abi, functionName: 'f', args })
      const byEthers = new Interface(abi).encodeFunctionData(
        'f',
        samples.map(({ value }) => value),
      )
      assert.equal(byViem, byEthers)

      const call = readCall(JSON.stringify(abi), bytesOf(byViem))
      const selector = toFunctionSelector(abi[0] as never)
      assert.deepEqual(call, { functionName: 'f', functionSignature: selector, args: seen })
    }),
    { numRuns: 1000 },
  )
})

/** viem takes tuples with names as objects. */
function viemValue(of: Parameter, value: unknown): unknown {
  if (of.type.endsWith(']')) {
    const type = of.type.slice(0, of.type.lastIndexOf('['))
    return items(value).map((item) => viemValue({ ...of, type }, item))
  }
  if (of.type !== 'tuple') {
    // Its integers of up to 48 bits are numbers.
    const small = typeof value === 'bigint' && Number(/\d+$/.exec(of.type)?.[0]) <= 48
    return small ? Number(value) : value
  }
  return Object.fromEntries(
    (of.components ?? []).map((component, index) => [
      component.name,
      viemValue(component, items(value)[index]),
    ]),
  )
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

test('changed data is read exactly when an encoder would have made it, and then as ethers reads it', () => {
  let read = 0
  let notRead = 0
  fc.assert(
    fc.property(
      sampleCall.filter(({ samples }) => samples.length > 0),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 0x1f, 0x20, 0x40, 0x7f, 0x80, 0xff), fc.nat(9)), {
        minLength: 1,
        maxLength: 3,
      }),
      ({ abi, samples }, changes) => {
        const coder = AbiCoder.defaultAbiCoder()
        const types = new Interface(abi).getFunction('f')?.inputs ?? []
        let data = bytesOf(
          coder.encode(
            types,
            samples.map(({ value }) => value),
          ),
        )
        for (const [place, byte, how] of changes) data = changed(data, place, byte, how)
        const hex = `0x${Buffer.from(data).toString('hex')}`

        let expected: string | undefined
        try {
          const decoded = coder.decode(types, hex)
          expected =
            coder.encode(types, decoded.toArray(true)) === hex
              ? JSON.stringify(flat(decoded.toArray(true)))
              : undefined
        } catch {
          expected = undefined
        }
        const selector = bytesOf(toFunctionSelector(abi[0] as never))
        const call = readCall(JSON.stringify(abi), Buffer.concat([selector, data]))
        const args = Object.values(call?.args ?? {})
        assert.equal(args.length === 0 ? undefined : JSON.stringify(flat(args)), expected)
        if (expected === undefined) notRead++
        else read++
      },
    ),
    { numRuns: 3000 },
  )
  assert.ok(read > 100 && notRead > 1000, `${read} read, ${notRead} not`)
})

/** One byte replaced, or bytes inserted, cut out or appended in whole words or not. */
function changed(data: Uint8Array, place: number, byte: number, how: number): Uint8Array {
  const at = place % (data.length + 1)
  const before = data.subarray(0, at)
  const after = data.subarray(at)
  if (how === 0) return Buffer.concat([before, Uint8Array.of(byte), after])
  if (how === 1) return Buffer.concat([before, after.subarray(1)])
  if (how === 2) return Buffer.concat([data, new Uint8Array(32)])
  if (how === 3) return data.subarray(0, Math.max(0, data.length - 32))
  const aligned = how < 7 ? Math.min(data.length - 1, Math.floor(at / 32) * 32 + 31) : at
  const copy = Uint8Array.from(data)
  if (aligned >= 0 && aligned < copy.length) copy[aligned] = byte
  return copy
}

/** Lists of texts, however the library or we write a value. */
function flat(value: unknown): unknown {
  return Array.isArray(value) ? value.map(flat) : String(value).toLowerCase()
}

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')

/** Reads data of `f` with these parameters. */
function read(types: readonly (string | Parameter)[], words: string): ContractCall | undefined {
  const inputs = types.map((type, index) => ({
    ...(typeof type === 'string' ? { type } : type),
    name: `a${index}`,
  }))
  const [selector] = [...readEthereumInterface(JSON.stringify([{ name: 'f', inputs }])).keys()]
  return readCall(JSON.stringify([{ name: 'f', inputs }]), bytesOf(`${selector}${words}`))
}

const notCanonical: readonly (readonly [string, readonly string[], string])[] = [
  ['an address with something before it', ['address'], word(2n ** 160n)],
  ['a uint8 of 256', ['uint8'], word(256)],
  ['an int8 of 128', ['int8'], word(128)],
  ['an int8 whose sign is not carried on', ['int8'], word(255)],
  ['a bool of 2', ['bool'], word(2)],
  ['bytes4 with something after them', ['bytes4'], `aabbccdd${'0'.repeat(55)}1`],
  ['bytes with something after them', ['bytes'], `${word(32)}${word(1)}aa${'0'.repeat(61)}1`],
  ['bytes without padding', ['bytes'], `${word(32)}${word(1)}aa`],
  ['a string that is not UTF-8', ['string'], `${word(32)}${word(1)}ff${'0'.repeat(62)}`],
  ['a word after the arguments', ['uint256'], word(1) + word(0)],
  ['a byte after the arguments', ['uint256'], `${word(1)}00`],
  ['a word too few', ['uint256', 'uint256'], word(1)],
  ['a gap before a tail', ['bytes'], `${word(64)}${word(0)}${word(0)}`],
  ['two arguments in one place', ['bytes', 'bytes'], `${word(64)}${word(64)}${word(0)}`],
  ['tails in another order', ['bytes', 'bytes'], `${word(96)}${word(64)}${word(0)}${word(0)}`],
  ['a tail inside of the heads', ['bytes'], word(0)],
  ['an offset of 2^255', ['bytes'], word(2n ** 255n) + word(0)],
  ['more elements than there is data', ['uint256[]'], word(32) + word(2n ** 31n)],
  ['2^32 + 1 elements', ['uint256[]'], word(32) + word(2n ** 32n + 1n) + word(7)],
]

test('arguments that decoders could read differently are not shown, only which function is called', () => {
  for (const [name, types, words] of notCanonical) {
    const call = read(types, words)
    assert.equal(call?.functionName, 'f', name)
    assert.deepEqual(call?.args, {}, name)
  }
})

test('tuples are lists, also in arrays; addresses and 20 bytes are without case, texts are with', () => {
  const calls = {
    type: 'tuple[]',
    components: [
      { type: 'address', name: 'target' },
      { type: 'uint256', name: 'value' },
    ],
  }
  const target = `0x${'ab'.repeat(20)}` as const
  const text = `0x${'aB'.repeat(20)}`
  const encoded = encodeAbiParameters(
    [{ ...calls, name: 'calls' }, { type: 'bytes20' }, { type: 'string' }, { type: 'bytes21' }],
    [[{ target, value: 2n ** 200n }], target, text, `${target}ff`],
  )
  const call = read([calls, 'bytes20', 'string', 'bytes21'], encoded.slice(2))
  const seenTarget = new Caseless(target)
  assert.deepEqual(call?.args, {
    a0: [[seenTarget, 2n ** 200n]],
    a1: seenTarget,
    a2: text,
    a3: `${target}ff`,
  })
})

test('the function is found by its selector among functions of one name; other data is no call of the contract', () => {
  const abi = JSON.stringify([
    { type: 'function', name: 'mint', inputs: [{ name: 'amount', type: 'uint' }] },
    { type: 'function', name: 'mint', inputs: [{ name: 'to', type: 'address' }] },
    { type: 'event', name: 'mint', inputs: 'of no interest' },
  ])
  const byAmount = readCall(abi, bytesOf(`0xa0712d68${word(5)}`))
  const byAddress = readCall(abi, bytesOf(`0x6a627842${word(5)}`))
  assert.deepEqual(byAmount?.args, { amount: 5n })
  assert.deepEqual(byAddress?.args, { to: new Caseless(`0x${word(5).slice(24)}`) })
  assert.equal(readCall(abi, bytesOf(`0xa0712d69${word(5)}`)), undefined)
  assert.equal(readCall(abi, bytesOf('0xa0712d')), undefined)
  assert.equal(readCall(abi, new Uint8Array()), undefined)
})

test('parameters without a name are not shown; a parameter may have the name of a member of every object', () => {
  const inputs = [{ type: 'bool' }, { name: '', type: 'bool' }, { name: '__proto__', type: 'uint8' }]
  const abi = JSON.stringify([{ name: 'f', inputs }])
  const selector = [...readEthereumInterface(abi).keys()][0]
  const { args = {} } = readCall(abi, bytesOf(`${selector}${word(1)}${word(1)}${word(3)}`)) ?? {}
  assert.deepEqual(Object.entries(args), [['__proto__', 3n]])
})

const f = (...inputs: unknown[]) => [{ type: 'function', name: 'f', inputs }]

const refused: readonly (readonly [unknown, RegExp])[] = [
  [{}, /^invalid smart contract interface: abi: expected a list, got an object$/],
  [[7], /abi\[0\]: expected an object, got 7$/],
  [[{ type: 'modifier' }], /abi\[0\]\.type: unknown entry type "modifier"$/],
  [[{ inputs: [] }], /abi\[0\]\.name: missing$/],
  [[{ name: '', inputs: [] }], /abi\[0\]\.name: a function without a name$/],
  [[{ name: 'f g', inputs: [] }], /abi\[0\]\.name: "f g" is not a name$/],
  [[{ name: 'f' }], /abi\[0\]\.inputs: missing$/],
  [f({ name: 'a' }), /abi\[0\]\.inputs\[0\]\.type: missing$/],
  [f({ type: 'uint7' }), /abi\[0\]\.inputs\[0\]\.type: unknown type "uint7"$/],
  [f({ type: 'bytes33' }), /unknown type "bytes33"$/],
  [f({ type: 'fixed128x18' }), /unknown type "fixed128x18"$/],
  [f({ type: 'Lib.Data storage' }), /unknown type "Lib.Data storage"$/],
  [f({ type: 'uint8[0]' }), /"uint8\[0\]" is not a type$/],
  [f({ type: 'uint8[' }), /"uint8\[" is not a type$/],
  [f({ type: `uint8${'[]'.repeat(17)}` }), /is not a type$/],
  [f({ type: 'tuple' }), /abi\[0\]\.inputs\[0\]\.components: missing$/],
  [f({ type: 'tuple', components: [] }), /a tuple of nothing$/],
  [
    f({ type: 'tuple[]', components: [{ type: 'x' }] }),
    /inputs\[0\]\.components\[0\]\.type: unknown type "x"$/,
  ],
  [f({ name: 'a', type: 'bool' }, { name: 'a', type: 'bool' }), /inputs\[1\]: a second parameter named "a"$/],
  [
    [...f({ name: 'a', type: 'bool' }), ...f({ name: 'b', type: 'bool' })],
    /abi\[1\]: f has the selector 0x\w{8} of another function, f$/,
  ],
]

test('an ABI that is not understood is refused, and the place is named', () => {
  for (const [abi, message] of refused)
    assert.throws(() => readEthereumInterface(JSON.stringify(abi)), { message })
  const deep = `${'{"type":"tuple","components":['.repeat(18)}{"type":"bool"}${']}'.repeat(18)}`
  const text = `[{"name":"f","inputs":[${deep}]}]`
  assert.throws(() => readEthereumInterface(text), /types nested deeper than 16$/)
  assert.throws(
    () => readEthereumInterface('[{"name":"f","name":"g","inputs":[]}]'),
    /the key "name" for the second time/,
  )
  assert.throws(() => readEthereumInterface(`[${' '.repeat(400_000)}]`), /longer than 400000 characters$/)
})

test('a function that is listed twice, the same each time, is one function', () => {
  const twice = [
    ...f({ name: 'a', type: 'uint' }),
    ...f({ name: 'a', type: 'uint256', internalType: 'Amount' }),
  ]
  assert.equal(readEthereumInterface(JSON.stringify(twice)).size, 1)
})

test('two functions of one selector are refused, whatever their names', () => {
  // Names that were searched for: both hash to 0x42966c68.
  const inputs = [{ name: 'amount', type: 'uint256' }]
  const abi = JSON.stringify([
    { name: 'burn', inputs },
    { name: 'collate_propagate_storage', inputs: [{ name: 'amount', type: 'bytes16' }] },
  ])
  assert.throws(() => readEthereumInterface(abi), /selector 0x42966c68 of another function, burn$/)
})

test('reading any text as an ABI gives functions or a failure', () => {
  const entry = fc.record(
    {
      type: fc.constantFrom('function', 'event', 7, null),
      name: fc.constantFrom('f', 'g', '', ' ', 7, null),
      inputs: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record(
            {
              type: fc.oneof(fc.constantFrom('uint8', 'tuple', 'tuple[2][]', '[]', 'bytes0'), fc.jsonValue()),
              name: fc.constantFrom('a', 'b', null),
              components: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.array(entry).map((each) => JSON.stringify(each)),
      ),
      (text) => {
        try {
          readEthereumInterface(text)
        } catch (thrown) {
          assert.ok(thrown instanceof Failure && thrown.kind === 'invalidContractInterface', String(thrown))
        }
      },
    ),
    { numRuns: 3000 },
  )
})

test('data made to take long is read no longer than its length deserves', () => {
  const nested = `uint8${'[]'.repeat(16)}`
  const inputs = [
    { name: 'a', type: nested },
    { name: 'b', type: 'string[999999999][999999999]' },
    { name: 'c', type: 'uint8[999999999][999999999][999999999][999999999]' },
  ]
  for (const input of inputs) {
    const text = JSON.stringify([{ name: 'f', inputs: [input] }])
    const contract = readEthereumInterface(text)
    const selector = [...contract.keys()][0]
    // Every offset points to the next word, which says that there are many elements there, all of them in one place.
    const data = bytesOf(`${selector}${(word(32) + word(1000)).repeat(2000)}`)
    const { counted, reads } = countedReads(Buffer.from(data))
    // It is given up: read to its end, it would not end.
    assert.deepEqual(readCall(contract, counted)?.args, {})
    assert.ok(reads() < data.length, `${reads()} reads`)
  }
})

test('an ABI of as many functions as there is room for is read in steps, none longer than reading its text', () => {
  const text = JSON.stringify(
    Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at.toString(36)}`, inputs: [] })),
  )
  const steps = [...ethereumInterfaceSteps(text)]
  assert.ok(steps.length > 10_000)
  const [whole = 0, ...selectors] = steps
  assert.equal(whole, text.length * costs.interfaceCharacter)
  assert.ok(selectors.every((units) => units < 20))
})
