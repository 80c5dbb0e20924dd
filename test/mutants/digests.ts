import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Says of a test file whether it has to be observed anew: a digest of the sources into which faults are planted, of the
 * file, and of everything that it imports. What it reads or starts otherwise is not looked at.
 */
export function digester(root: string, sources: readonly string[]): (file: string) => string {
  const imports = new Map<string, readonly string[]>()
  const importsOf = (path: string): readonly string[] => {
    const known = imports.get(path) ?? relativeImports(root, path)
    imports.set(path, known)
    return known
  }
  return (file) => {
    const paths = new Set([...sources, file])
    for (const path of paths) for (const other of importsOf(path)) paths.add(other)
    return digestOf([...paths].toSorted().flatMap((path) => [path, readFileSync(join(root, path), 'utf8')]))
  }
}

export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
}

function relativeImports(root: string, path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import\(?) ?'(\.[^']+\.ts)'/g)]
    .map(([, specifier = '']) => join(dirname(path), specifier))
    .filter((other) => existsSync(join(root, other)))
}
