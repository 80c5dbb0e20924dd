import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { circles } from './circles.ts'
import { root, type Source } from './sources.ts'

/** A file of the frames imports from its own room and from rooms before it; of the service, what no network reaches. */
const rooms = [
  'src/trusted/',
  'frames/base/',
  'frames/failures.ts',
  'frames/config.ts',
  'frames/bundles/',
  'frames/keys/',
  'frames/channel/',
  'frames/settings/',
  'frames/pages/',
]

function frameSources(): readonly Source[] {
  return globSync('frames/**/*.ts', { cwd: root, exclude: ['frames/build.ts'] })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
}

function violations(files: readonly Source[]): readonly string[] {
  const roomOf = (path: string): number => rooms.findIndex((room) => path.startsWith(room))
  return files.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      .filter((target) => roomOf(target) < 0 || roomOf(target) > roomOf(path))
      .map((target) => `${path} imports ${target}`),
  )
}

test('a file of the frames imports only from its own room and from rooms above it', () => {
  assert.ok(frameSources().length > 20, 'the sources are there')
  assert.deepEqual(violations(frameSources()), [])
  for (const specifier of [
    '../channel/fields.ts',
    '../../console/service/p256.ts',
    '../../src/host/http/server.ts',
  ]) {
    const planted = { path: 'frames/bundles/planted.ts', text: `import { x } from '${specifier}'` }
    assert.equal(violations([planted]).length, 1, specifier)
  }
})

test('no files of the frames import one another in a circle', () => {
  assert.deepEqual(circles(frameSources()), [])
})
