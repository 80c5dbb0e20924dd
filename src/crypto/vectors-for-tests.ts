import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'

const SHARED = new URL('../../../shared/', import.meta.url)

/**
 * A test over public vectors, which are kept beside the project and not in it.
 *
 * @param path   below `../shared`, JSON, gzipped where its name says so
 * @param cases  how many the file holds, said when it is not there
 */
export function vectorTest<T>(
  promise: string,
  path: string,
  cases: number,
  run: (vectors: T) => void | Promise<void>,
): void {
  const file = new URL(path, SHARED)
  const skip = existsSync(file) ? false : `${path} is not there: ${cases} cases were not run`
  test(promise, { skip }, () => {
    const bytes = readFileSync(file)
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    // The shape is the caller's word about a file that it names; a wrong one fails the test.
    return run(JSON.parse(text) as T)
  })
}

/** Files of Wycheproof: groups of cases, each with a verdict. */
export type Wycheproof<Group, Case> = {
  readonly testGroups: readonly (Group & { readonly tests: readonly (Case & WycheproofCase)[] })[]
}

export type WycheproofCase = {
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
