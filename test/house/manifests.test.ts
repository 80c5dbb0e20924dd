import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { root, type Source, sources } from './sources.ts'

type Manifest = {
  readonly packages: readonly string[]
  readonly builtIn: readonly string[]
  /** What an operator installs beside Claviger, who wants what needs it. */
  readonly optional?: readonly string[]
}

const sides = ['trusted', 'protocol', 'seals', 'host'] as const

function manifestOf(side: string): Manifest {
  return JSON.parse(readFileSync(new URL(`src/${side}/manifest.json`, root), 'utf8')) as Manifest
}

/**
 * What the files of a side import from outside the project, each once: packages by the name they are installed under.
 */
function usedBy(side: string, files: readonly Source[]): Manifest {
  const names = files
    .filter(({ path }) => path.startsWith(`src/${side}/`))
    .flatMap(({ text }) => importsOf(text))
    .map(({ specifier }) => specifier)
    .filter((specifier) => !specifier.startsWith('.'))
  const builtIn = names.filter((name) => name.startsWith('node:'))
  const packages = names
    .filter((name) => !name.startsWith('node:'))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  return { packages: distinct(packages), builtIn: distinct(builtIn) }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted()
}

test('each side imports the packages and built-in modules of its manifest, and no others', () => {
  for (const side of sides) {
    const { packages, builtIn, optional = [] } = manifestOf(side)
    const named = { packages: [...packages, ...optional].toSorted(), builtIn }
    assert.deepEqual(usedBy(side, sources()), named, side)
  }
})

test('a package that the manifest of a side does not name is seen', () => {
  const planted = { path: 'src/trusted/vault/planted.ts', text: "import pg from 'pg'\nimport 'node:http'" }
  assert.deepEqual(usedBy('trusted', [planted]), { packages: ['pg'], builtIn: ['node:http'] })
})

test('what is installed to run the service is what the sides name', () => {
  const installed = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const named = sides.flatMap((side) => manifestOf(side).packages)
  assert.deepEqual(Object.keys(installed.dependencies).toSorted(), distinct(named))
})
