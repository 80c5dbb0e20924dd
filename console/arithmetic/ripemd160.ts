import { digestOf, rootWord, turnedLeft } from './blocks.ts'

/** RIPEMD-160 (Dobbertin, Bosselaers and Preneel 1996), 20 bytes. */
export function ripemd160(message: Uint8Array): Uint8Array {
  return digestOf(message, INITIAL, compressed, true)
}

/** Two lines of five rounds, whose ends are added crosswise. */
function compressed(before: readonly number[], block: readonly number[]): readonly number[] {
  const [left, right] = [line(before, block, false), line(before, block, true)]
  return before.map((_, at) => {
    const [one, two, three] = [before[(at + 1) % 5], left[(at + 2) % 5], right[(at + 3) % 5]]
    return ((one ?? 0) + (two ?? 0) + (three ?? 0)) | 0
  })
}

function line(before: readonly number[], block: readonly number[], isRight: boolean): readonly number[] {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = before
  let order = block.map((_, at) => (isRight ? (9 * at + 5) % 16 : at))
  for (let round = 0; round < 5; round++) {
    const mixed = MIXED[isRight ? 4 - round : round]
    const constant = (isRight ? RIGHT : LEFT)[round] ?? 0
    for (const at of order) {
      const sum = a + (mixed?.(b, c, d) ?? 0) + (block[at] ?? 0) + constant
      const turned = turnedLeft(sum, TURNS[round]?.[at] ?? 0) + e
      ;[a, b, c, d, e] = [e, turned | 0, b, turnedLeft(c, 10), d]
    }
    order = order.map((at) => RHO[at] ?? 0)
  }
  return [a, b, c, d, e]
}

type Mixed = (x: number, y: number, z: number) => number

const MIXED: readonly Mixed[] = [
  (x, y, z) => x ^ y ^ z,
  (x, y, z) => (x & y) | (~x & z),
  (x, y, z) => (x | ~y) ^ z,
  (x, y, z) => (x & z) | (y & ~z),
  (x, y, z) => x ^ (y | ~z),
]

const LEFT = [0, ...[2, 3, 5, 7].map((prime) => rootWord(prime, 2n, 30n))]
const RIGHT = [...[2, 3, 5, 7].map((prime) => rootWord(prime, 3n, 30n)), 0]
const digitsOf = (hex: string): readonly number[] => [...hex].map((digit) => Number.parseInt(digit, 16))

/** Which word comes next, and how far each round turns what it adds with a word: the same in both lines. */
const RHO = digitsOf('74d1a6f3c0952eb8')
const TURNS = [
  'befc5879bdef6798',
  'cdbf6997cfbd7877',
  'dfeb7768dedc5569',
  'ebce8655fcfe9986',
  'fcdd9586ebcb8655',
].map(digitsOf)

const INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
