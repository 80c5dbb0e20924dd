import { posix } from 'node:path'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import type { Source } from './sources.ts'

/** The groups of files of which each imports every other by some way, imports of types included. */
export function circles(files: readonly Source[]): readonly (readonly string[])[] {
  const imports = new Map(files.map(({ path, text }) => [path, targetsOf(path, text)]))
  const reached = new Map(files.map(({ path }) => [path, reachedFrom(path, imports)]))
  const reaches = (from: string, to: string): boolean => reached.get(from)?.has(to) === true
  const inCircles = [...imports.keys()].filter((path) => reaches(path, path))
  const groups = inCircles.map((path) =>
    inCircles.filter((other) => reaches(path, other) && reaches(other, path)),
  )
  return groups.filter((group, at) => group[0] === inCircles[at])
}

function targetsOf(path: string, text: string): readonly string[] {
  return importsOf(text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
}

/** Without the file itself, unless it comes back to it. */
function reachedFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...(imports.get(path) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(imports.get(next) ?? []))
  }
  return reached
}
