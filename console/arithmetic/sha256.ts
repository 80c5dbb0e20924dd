import { digestOf, rootWord, turnedLeft } from './blocks.ts'

/** SHA-256 (FIPS 180-4), 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  return digestOf(message, INITIAL, compressed)
}

/** Section 6.2.2. Of the schedule, a word takes the place of the one 16 before it. */
function compressed(before: readonly number[], block: readonly number[]): readonly number[] {
  const words = [...block]
  const word = (at: number): number => words[at % 16] ?? 0
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = before
  for (let t = 0; t < 64; t++) {
    if (t > 15) {
      const [near, far] = [word(t + 14), word(t + 1)]
      const s1 = turnedLeft(near, 15) ^ turnedLeft(near, 13) ^ (near >>> 10)
      const s0 = turnedLeft(far, 25) ^ turnedLeft(far, 14) ^ (far >>> 3)
      words[t % 16] = (s1 + word(t + 9) + s0 + word(t)) | 0
    }
    const sum1 = turnedLeft(e, 26) ^ turnedLeft(e, 21) ^ turnedLeft(e, 7)
    const first = h + sum1 + ((e & f) ^ (~e & g)) + (CONSTANTS[t] ?? 0) + word(t)
    const sum0 = turnedLeft(a, 30) ^ turnedLeft(a, 19) ^ turnedLeft(a, 10)
    const second = sum0 + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + (before[at] ?? 0)) | 0)
}

const PRIMES = Array.from({ length: 310 }, (_, at) => at + 2).filter((number, at, all) =>
  all.slice(0, at).every((smaller) => number % smaller !== 0),
)

/** Section 4.2.2: of the cube roots of the first 64 primes. */
const CONSTANTS = PRIMES.map((prime) => rootWord(prime, 3n, 32n))

/** Section 5.3.3: of the square roots of the first eight. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => rootWord(prime, 2n, 32n))
