import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { type Source, sources } from './sources.ts'

/** The groups of files of which each imports every other by some way, imports of types included. */
function circles(files: readonly Source[]): readonly (readonly string[])[] {
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

test('no files import one another in a circle, by their types neither', () => {
  assert.deepEqual(circles(sources()), [])
})

test('a circle is seen: of two files, of three, of one, and by imports of types alone', () => {
  const file = (name: string, ...imported: readonly string[]): Source => ({
    path: `src/trusted/vault/${name}.ts`,
    text: imported.map((other) => `import type { X } from './${other}.ts'`).join('\n'),
  })
  const named = (files: readonly Source[]) =>
    circles(files).map((group) => group.map((path) => posix.basename(path, '.ts')))
  assert.deepEqual(named([file('a', 'b'), file('b', 'c'), file('c')]), [])
  assert.deepEqual(named([file('a', 'b'), file('b', 'a'), file('c', 'a')]), [['a', 'b']])
  assert.deepEqual(named([file('a', 'b'), file('b', 'c'), file('c', 'a')]), [['a', 'b', 'c']])
  assert.deepEqual(named([file('a', 'a')]), [['a']])
  const apart = [file('a', 'b'), file('b', 'a'), file('c', 'd', 'a'), file('d', 'c')]
  assert.deepEqual(named(apart), [
    ['a', 'b'],
    ['c', 'd'],
  ])
})
