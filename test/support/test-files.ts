import { globSync } from 'node:fs'

/** Not ours: `test/kit` has packages of its own. */
export const notOurs = ['**/node_modules/**']

/** Every test file, sorted. */
export function testFiles(root: string): readonly string[] {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root, exclude: notOurs }).toSorted()
}
