import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import fc from 'fast-check'
import { Failure } from '../../base/failure.ts'
import { finished, SLICE } from '../../base/work.ts'
import { concat } from '../../base/bytes.ts'
import { present } from '../../base/assert.ts'
import { psbtPieces } from './psbt-pieces.ts'
import { paymentTo, psbtOf, testKey } from './testing/psbt.ts'
import { type Psbt, type PsbtPair, readPsbt, writePsbt } from './psbt.ts'
import { sameReadingSteps } from './second-reading.ts'
import { type SpentOutput, spentOutput } from './spent-output.ts'

const payment = btc.p2wpkh(testKey(7).publicKey)
const bytes = psbtOf([{ payment, value: 10_000n }]).toPSBT(0)

test('a transaction that the second reader reads differently is refused, whatever the difference', () => {
  const psbt = readPsbt(bytes)
  const spent = spentIn(psbt)
  const [one] = spent
  assert.ok(one !== undefined)
  const read = (of: Uint8Array, as: Psbt, outputs: readonly SpentOutput[]) => () =>
    finished(sameReadingSteps(of, as, outputs))
  read(bytes, psbt, spent)()
  const { unsigned } = psbt
  const [input] = unsigned.inputs
  assert.ok(input !== undefined)
  const changed = (change: Partial<typeof unsigned>) => ({ ...psbt, unsigned: { ...unsigned, ...change } })
  const different: readonly (() => void)[] = [
    read(bytes, psbt, [{ ...one, value: 10_001n }]),
    read(bytes, psbt, [{ ...one, script: new Uint8Array(22) }]),
    read(bytes, psbt, [...spent, ...spent]),
    read(psbtOf([{ payment, value: 10_000n }], 7n).toPSBT(0), psbt, spent),
    read(bytes, { ...psbt, outputs: [...psbt.outputs, []] }, spent),
    read(bytes, { ...psbt, inputs: [psbt.inputs.flat().slice(1)] }, spent),
    read(bytes, changed({ version: 1 }), spent),
    read(bytes, changed({ locktime: 1 }), spent),
    read(bytes, changed({ outputs: [] }), spent),
    read(bytes, changed({ inputs: [{ ...input, vout: 0 }] }), spent),
    read(bytes, changed({ inputs: [{ ...input, sequence: 0 }] }), spent),
    read(bytes, changed({ inputs: [{ ...input, previousId: new Uint8Array(32) }] }), spent),
    read(bytes.subarray(1), psbt, spent),
  ]
  for (const reading of different) {
    assert.throws(reading, (error) => error instanceof Failure && error.kind === 'unreadableTransaction')
  }
})

test('what an input spends from before segwit is read twice, and its id is taken twice', () => {
  const whole = psbtOf([{ payment: paymentTo('pkh', testKey(1), testKey(2)), value: 5_000n }]).toPSBT(0)
  const psbt = readPsbt(whole)
  const [spent] = spentIn(psbt)
  const [input] = psbt.unsigned.inputs
  assert.ok(spent !== undefined && input !== undefined)
  finished(sameReadingSteps(whole, psbt, [spent]))
  assert.throws(() => finished(sameReadingSteps(whole, psbt, [{ ...spent, value: 5_001n }])))
})

const KEYS = [1, 2, 3, 4, 5, 6].map((seed) => testKey(seed).publicKey)

/** Fields that the library reads, whole and broken, under types that it knows and some that it does not. */
const arbitraryField: fc.Arbitrary<PsbtPair> = fc
  .record({
    type: fc.oneof(fc.integer({ min: 0, max: 0x20 }), fc.constantFrom(0x35, 0x50, 0xfb, 0xfc)),
    data: fc.oneof(
      fc.constant(new Uint8Array()),
      fc.integer({ min: 1, max: 5 }).map(publicKeyOf),
      fc.integer({ min: 1, max: 5 }).map((seed) => publicKeyOf(seed).subarray(1)),
      fc.uint8Array({ maxLength: 80 }),
    ),
    value: fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.constantFrom(4, 20, 32, 64, 65).map((length) => new Uint8Array(length).fill(1)),
      fc.integer({ min: 1, max: 5 }).map(publicKeyOf),
      fc.constant(Uint8Array.of(0, 0xc0, 1, 0x51)),
    ),
  })
  .map(({ type, data, value }) => ({ key: concat(Uint8Array.of(type), data), value }))

test('in pieces the library refuses the fields that it refuses in the whole', () => {
  const psbt = readPsbt(psbtOf([1n, 2n].map((value) => ({ payment, value: value * 10_000n }))).toPSBT(0))
  const verdicts = new Set<boolean>()
  fc.assert(
    fc.property(
      fc.array(fc.record({ part: fc.constantFrom(...PARTS), pair: arbitraryField }), {
        minLength: 1,
        maxLength: 3,
      }),
      (fields) => {
        const written = writePsbt(fields.reduce<Psbt>((known, field) => withField(known, field), psbt))
        const read = unlessRefused(() => readPsbt(written))
        const spent = read && unlessRefused(() => spentIn(read))
        if (read === undefined || spent === undefined) return
        const isRead = unlessRefused(() => finished(sameReadingSteps(written, read, spent)) ?? true) === true
        assert.equal(isRead, isReadInOneGo(written))
        verdicts.add(isRead)
      },
    ),
    { numRuns: 400 },
  )
  assert.equal(verdicts.size, 2)
})

test('a field that names more keys than can be found in a few milliseconds is refused', () => {
  const psbt = readPsbt(bytes)
  const listing = (count: number): PsbtPair => ({
    key: concat(Uint8Array.of(0x1a), publicKeyOf(1)),
    value: concat(...Array.from({ length: count }, () => publicKeyOf(2))),
  })
  const read = (count: number) => {
    const dear = withField(psbt, { part: 'input', pair: listing(count) })
    finished(sameReadingSteps(writePsbt(dear), dear, spentIn(dear)))
  }
  read(248)
  assert.throws(() => read(249), /lists keys or scripts in 8217 bytes, of at most 8192/)
})

test('as many public keys as there is room for are read in pieces, of which none is longer than a slice', () => {
  const psbt = readPsbt(bytes)
  const derivations = Array.from({ length: 3_000 }, (_, at) => ({
    key: concat(Uint8Array.of(0x06, at & 0xff, at >> 8), new Uint8Array(32)),
    value: new Uint8Array(4),
  }))
  const dear = { ...psbt, inputs: [[...psbt.inputs.flat(), ...derivations]] }
  const pieces = [...psbtPieces(dear)]
  assert.ok(pieces.reduce((sum, { cost }) => sum + cost, 0) > 900_000)
  assert.ok(pieces.every(({ cost }) => cost <= SLICE))
})

const PARTS = ['global', 'input', 'output'] as const

function withField(
  psbt: Psbt,
  { part, pair }: { readonly part: (typeof PARTS)[number]; readonly pair: PsbtPair },
): Psbt {
  const { global, inputs, outputs } = psbt
  const [input = [], ...otherInputs] = inputs
  const [output = [], ...otherOutputs] = outputs
  switch (part) {
    case 'global':
      return { ...psbt, global: [...global, pair] }
    case 'input':
      return { ...psbt, inputs: [[...input, pair], ...otherInputs] }
    case 'output':
      return { ...psbt, outputs: [[...output, pair], ...otherOutputs] }
  }
}

function spentIn({ unsigned, inputs }: Psbt): readonly SpentOutput[] {
  return unsigned.inputs.map((input, index) =>
    spentOutput(index, input, present(inputs[index], 'a map for each input')),
  )
}

function isReadInOneGo(whole: Uint8Array): boolean {
  const options = { disableScriptCheck: true, allowUnknownInputs: true, allowUnknownOutputs: true }
  try {
    btc.Transaction.fromPSBT(whole, { ...options, unknown: 'ignore', proprietary: 'ignore' })
    return true
  } catch {
    return false
  }
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function publicKeyOf(seed: number): Uint8Array {
  return present(KEYS[seed], 'one of the keys')
}
