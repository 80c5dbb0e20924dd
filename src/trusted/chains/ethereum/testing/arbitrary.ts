import fc from 'fast-check'
import { concat } from '../../../base/bytes.ts'
import { type RlpItem, rlpInteger } from '../rlp.ts'
import { bytesOf, raw } from './transactions.ts'

/** The type of a transaction, 0 for legacy, and its fields. */
export type Form = { readonly type: number; readonly fields: readonly RlpItem[] }

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Small, random, or at an edge; one edge value does not fit. */
function uint(bits: number): fc.Arbitrary<RlpItem> {
  const end = 2n ** BigInt(bits)
  return fc
    .oneof(
      { arbitrary: fc.bigInt({ min: 0n, max: 300n }), weight: 24 },
      { arbitrary: fc.bigInt({ min: 0n, max: end - 1n }), weight: 2 },
      fc.constantFrom(0n, end - 2n, end - 1n, end, 2n ** 53n - 1n, 2n ** 53n),
    )
    .map(rlpInteger)
}

const nothing = fc.constant(new Uint8Array())
const recipient = fc.oneof({ arbitrary: bytes(20), weight: 5 }, nothing)
const accessList = fc.array(fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 2 })), { maxLength: 2 })
const blobHashes = fc.array(
  bytes(31).map((rest) => concat(Uint8Array.of(1), rest)),
  { maxLength: 3 },
)
const scalar = fc.bigInt({ min: 1n, max: 2n ** 254n }).map(rlpInteger)
const authorizations = fc.array(
  fc.tuple(uint(256), bytes(20), uint(64), fc.constantFrom(0n, 1n).map(rlpInteger), scalar, scalar),
  { maxLength: 2 },
)
const fees = [uint(60), uint(60)] as const
const core = [uint(64), recipient, uint(256), fc.uint8Array({ maxLength: 70 })] as const

const forms: readonly (readonly [type: number, fields: readonly fc.Arbitrary<RlpItem>[]])[] = [
  [0, [uint(64), uint(256), ...core]],
  [0, [uint(64), uint(256), ...core, uint(64), nothing, nothing]],
  [1, [uint(64), uint(64), uint(256), ...core, accessList]],
  [2, [uint(64), uint(64), ...fees, ...core, accessList]],
  [3, [uint(64), uint(64), ...fees, ...core, accessList, uint(256), blobHashes]],
  [4, [uint(64), uint(64), ...fees, ...core, accessList, authorizations]],
]

/** A transaction of any type that has the fields of its type. */
export const wellFormed: fc.Arbitrary<Form> = fc
  .constantFrom(...forms)
  .chain(([type, fields]) => fc.tuple(...fields).map((items) => ({ type, fields: items })))

/** Any RLP item. */
export const { item: anyItem } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.uint8Array({ maxLength: 80 }),
    fc.array(tie('item'), { maxLength: 5 }),
  ),
}))

/** With one item exchanged, dropped, doubled or given a leading zero, at any depth; or under the type of another. */
const misformed: fc.Arbitrary<Form> = fc
  .tuple(wellFormed, fc.nat(), anyItem, fc.constantFrom('set', 'drop', 'put', 'zero', 'type'))
  .map(([{ type, fields }, position, item, how]) => {
    if (how === 'type') return { type: position % 6, fields }
    let left = position % 24
    const changed = (items: readonly RlpItem[]): readonly RlpItem[] =>
      items.flatMap((each) => {
        if (left-- !== 0) return each instanceof Uint8Array ? [each] : [changed(each)]
        if (how === 'drop') return []
        if (how === 'put') return [each, item]
        return how === 'zero' && each instanceof Uint8Array ? [concat(Uint8Array.of(0), each)] : [item]
      })
    return { type, fields: changed(fields) }
  })

/** Well formed, or with a byte exchanged, dropped, inserted or appended, or cut off; or random bytes. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  { arbitrary: wellFormed.map(bytesOfForm), weight: 4 },
  { arbitrary: misformed.map(bytesOfForm), weight: 4 },
  {
    arbitrary: fc
      .tuple(
        wellFormed.map(bytesOfForm),
        fc.nat(),
        fc.nat({ max: 255 }),
        fc.constantFrom('set', 'drop', 'put', 'cut', 'add'),
      )
      .map(([whole, position, byte, how]) => {
        const at = position % whole.length
        if (how === 'set') return whole.with(at, byte)
        if (how === 'cut') return whole.subarray(0, at)
        if (how === 'add') return concat(whole, Uint8Array.of(byte))
        const put = how === 'put' ? Uint8Array.of(byte) : new Uint8Array()
        return concat(whole.subarray(0, at), put, whole.subarray(how === 'put' ? at : at + 1))
      }),
    weight: 4,
  },
  fc.uint8Array({ minLength: 1, maxLength: 60 }),
)

function bytesOfForm({ type, fields }: Form): Uint8Array {
  return bytesOf(raw(type, fields))
}
