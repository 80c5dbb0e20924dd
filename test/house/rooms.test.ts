import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { importsOf } from '../../src/cli/module-graph.ts'
import { type Source, sources } from './sources.ts'

/** A file imports from its own room and from rooms before it. */
const rooms = [
  'base',
  'crypto',
  'chains',
  'policy',
  'charter',
  'catalogue',
  'activities',
  'vault',
  'store',
  'queries',
  'pipeline',
  'delivery',
  'http',
  'app',
  'cli',
]

function violations(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      .filter((target) => !roomOf(target, path))
      .map((target) => `${path} imports ${target}`),
  )
}

function roomOf(target: string, path: string): boolean {
  const [to, from] = [target, path].map((file) => rooms.indexOf(file.split('/')[1] ?? ''))
  return target.startsWith('src/') && to !== undefined && from !== undefined && to >= 0 && to <= from
}

test('a file imports only from its own room and from rooms above it', () => {
  const files = sources()
  assert.ok(files.length > 100, 'the sources are there')
  assert.deepEqual(violations(files), [])
})

test('an import that points down, or out of the house, is seen', () => {
  const planted = (text: string): Source => ({ path: 'src/vault/planted.ts', text })
  for (const text of [
    "import { openSqlite } from '../store/sqlite.ts'",
    "import {\n  a,\n  b,\n} from '../pipeline/submit.ts'",
    "import type { Store } from '../store/store.ts'",
    "export { x } from '../http/server.ts'",
    "const later = await import('../app/service.ts')",
    "import '../queries/list.ts'",
    "import { aService } from '../../test/support/service.ts'",
    "import { x } from '../nowhere/x.ts'",
  ])
    assert.equal(violations([planted(text)]).length, 1, text)
  assert.deepEqual(violations([planted("import { assert } from '../base/assert.ts'")]), [])
})
