import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

const folder = new URL('../vectors/', import.meta.url)

/**
 * The published vectors in a JSON file of `test/vectors`, by its path there without the `.br` that all of them end in.
 */
export function vectors<T>(path: string): T {
  // The shape is the caller's word about a file that it names; a wrong one fails the test.
  return JSON.parse(vectorText(path)) as T
}

export function vectorText(path: string): string {
  return brotliDecompressSync(readFileSync(new URL(`${path}.br`, folder))).toString('utf8')
}
