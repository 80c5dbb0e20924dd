import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moduleGraph } from '../../src/host/cli/module-graph.ts'
import { root, type Source, sources } from './sources.ts'

const ROOM = 'src/host/emulator/'

test('what serves real data, and the process of its vault, load nothing of the emulator', () => {
  for (const entry of ['src/host/app/service.ts', 'src/host/cli/serve.ts', 'src/host/cli/dev.ts', PROCESS]) {
    const modules = moduleGraph(root, entry)
    assert.ok(modules.includes(entry))
    assert.deepEqual(
      modules.filter((path) => path.startsWith(ROOM)),
      [],
      entry,
    )
  }
})

const PROCESS = 'src/trusted/vault/process.ts'

/** Files that give a vault randomness that can be foretold, or leave to take requests of any time. */
function emulating(files: readonly Source[]): readonly string[] {
  return files
    .filter(
      ({ path, text }) => !path.startsWith(ROOM) && /\b(drawing|emulation)\s*:/.test(withoutTypes(text)),
    )
    .map(({ path }) => path)
}

/** Without the declaration that a world or a vault may have it. */
function withoutTypes(text: string): string {
  return text.replaceAll(/^\s*readonly \w+\??: .*$/gm, '')
}

test('nobody but the emulator makes a vault that can be foretold, or that takes requests of any time', () => {
  // These pass on what the vault was opened with.
  assert.deepEqual(emulating(sources()), [
    'src/trusted/vault/decision/drawing.ts',
    'src/trusted/vault/vault.ts',
  ])
})

test('another that would is seen', () => {
  for (const text of [
    'const vault = openVault({ world, keyring, activities, emulation: { anyTimestamp: true } })',
    'export const realWorld: World = { now, randomBytes, drawing: () => seeded() }',
  ])
    assert.equal(emulating([{ path: 'src/host/app/planted.ts', text }]).length, 1, text)
})
