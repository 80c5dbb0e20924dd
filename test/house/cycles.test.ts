import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { circles } from './circles.ts'
import { type Source, sources } from './sources.ts'

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
