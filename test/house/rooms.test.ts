import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { type Source, sources } from './sources.ts'

/**
 * A file imports from its own room and from rooms before it: first the trusted side, with the protocol, then the seals,
 * then the host.
 */
const rooms = [
  'trusted/base',
  'trusted/crypto',
  'trusted/policy',
  'trusted/chains',
  'trusted/charter',
  'trusted/catalogue',
  'protocol',
  'trusted/objects',
  'trusted/activities',
  'trusted/vault',
  'seals',
  'host/approval',
  'host/store',
  'host/copies',
  'host/link',
  'host/outside',
  'host/queries',
  'host/pipeline',
  'host/delivery',
  'host/rotation',
  'host/quotas',
  'host/http',
  'host/auth-proxy',
  'host/app',
  'host/emulator',
  'host/cli',
]

function violations(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      .filter((target) => !isAbove(target, path))
      .map((target) => `${path} imports ${target}`),
  )
}

function isAbove(target: string, path: string): boolean {
  const [to = -1, from = -1] = [target, path].map((file) =>
    rooms.findIndex((room) => file.startsWith(`src/${room}/`)),
  )
  return to >= 0 && to <= from && !target.includes('/testing/')
}

test('a file imports only from its own room and from rooms above it', () => {
  const files = sources()
  assert.ok(files.length > 100, 'the sources are there')
  assert.deepEqual(violations(files), [])
})

test('an import that points down, or out of the house, is seen', () => {
  const planted = (text: string): Source => ({ path: 'src/trusted/vault/planted.ts', text })
  for (const text of [
    "import { openSqlite } from '../../host/store/sqlite.ts'",
    "import {\n  a,\n  b,\n} from '../../host/pipeline/submit.ts'",
    "import type { Store } from '../../host/store/store.ts'",
    "export { x } from '../../host/http/server.ts'",
    "const later = await import('../../host/app/service.ts')",
    "import '../../host/queries/list.ts'",
    "import { aService } from '../support/service.ts'",
    "import { x } from '../nowhere/x.ts'",
    "import { revealed } from '../base/testing/revealed.ts'",
  ])
    assert.equal(violations([planted(text)]).length, 1, text)
  assert.deepEqual(violations([planted("import { assert } from '../base/assert.ts'")]), [])
})
