import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Not ours: `test/kit` and the folders of `packages/` have packages of their own. */
export const notOurs = ['**/node_modules/**']

/** Every test file, sorted; those of a package that is not installed here cannot run. */
export function testFiles(root: string): readonly string[] {
  const packages = packagesIn(root).filter(({ isInstalled }) => isInstalled)
  const folders = ['src', 'test', ...packages.map(({ path }) => path)]
  const patterns = folders.map((folder) => `${folder}/**/*.test.ts`)
  return globSync(patterns, { cwd: root, exclude: notOurs }).toSorted()
}

/** The packages of `packages/`, each with a lock file and with dependencies of its own. */
export function packagesIn(
  root: string,
): readonly { readonly path: string; readonly isInstalled: boolean }[] {
  return globSync('packages/*/package-lock.json', { cwd: root })
    .map((file) => dirname(file))
    .toSorted()
    .map((path) => ({ path, isInstalled: existsSync(join(root, path, 'node_modules')) }))
}
