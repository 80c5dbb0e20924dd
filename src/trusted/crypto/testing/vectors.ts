import { test } from 'node:test'
import { vectors } from '../../../../test/support/vectors.ts'

/** A test over the vectors in a JSON file below `test/vectors`. */
export function vectorTest<T>(
  promise: string,
  path: string,
  run: (vectors: T) => void | Promise<void>,
): void {
  test(promise, () => run(vectors<T>(path)))
}

/** Files of Wycheproof: groups of cases, each with a verdict. */
export type Wycheproof<Group, Case> = {
  readonly testGroups: readonly (Group & { readonly tests: readonly (Case & WycheproofCase)[] })[]
}

type WycheproofCase = {
  readonly tcId: number
  readonly comment: string
  readonly flags: readonly string[]
  readonly result: 'valid' | 'invalid' | 'acceptable'
}

export function hex(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}

/** Bytes that differ from each other and are the same in each run: a linear generator, good for tests only. */
export function seededBytes(seed: number): (length: number) => Uint8Array {
  let state = seed
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 24
    })
}
