// A program that prints how many bytes of new objects V8 places among the old ones, after many of their kind have
// outlived collections: with `begin` as in the host, else as V8 does by itself. It is run with --expose-gc, and with
// the smallest young generation: V8 places no object so before that generation has reached its bound.
import { getHeapSpaceStatistics } from 'node:v8'
import { beginYoung } from '../young-objects.ts'

const ROUNDS = 200
const PER_ROUND = 3_000
const ROUNDS_KEPT = 10
const MEASURED = 1_000

if (process.argv[2] === 'begin') beginYoung()

let kept: object[] = []
for (let round = 0; round < ROUNDS; round++) {
  for (let number = 0; number < PER_ROUND; number++) kept.push(made(number))
  globalThis.gc?.({ type: 'minor' })
  if (round % ROUNDS_KEPT === ROUNDS_KEPT - 1) kept = []
}
kept = []
globalThis.gc?.()

const some: object[] = Array.from({ length: MEASURED }, () => kept)
const before = oldBytes()
for (let number = 0; number < MEASURED; number++) some[number] = made(number)
console.log(oldBytes() - before)

function made(number: number): object {
  return { number, list: [number, number + 1, number + 2, number + 3], more: { number } }
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0
}
