import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importsOf, moduleGraph } from '../../src/host/cli/module-graph.ts'
import { root, type Source, sources } from './sources.ts'

/** Where time, chance, the network and the process may be touched at all. */
const edges = [
  'src/trusted/base/real-world.ts',
  'src/trusted/vault/process.ts',
  'src/trusted/vault/keys/private-text.ts',
  'src/trusted/vault/serve.ts',
  'src/seals/',
  'src/host/store/',
  'src/host/copies/',
  'src/host/link/',
  'src/host/outside/',
  'src/host/pipeline/',
  'src/host/delivery/',
  'src/host/http/',
  'src/host/auth-proxy/',
  'src/host/app/',
  'src/host/emulator/',
  'src/host/cli/',
]

const outside: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'the clock', pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b/ },
  { name: 'a timer', pattern: /\bset(?:Timeout|Interval|Immediate)\b/ },
  { name: 'chance', pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomFillSync\b/ },
  { name: 'the network', pattern: /\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b/ },
  { name: 'the process', pattern: /(?<![\w.'/])process\.(?!ts\b)/ },
]

const outsideModules = [
  'net',
  'http',
  'https',
  'http2',
  'tls',
  'dgram',
  'dns',
  'fs',
  'child_process',
  'worker_threads',
  'cluster',
  'os',
  'timers',
  'process',
]

function touches({ path, text }: Source): readonly string[] {
  if (edges.some((edge) => path.startsWith(edge))) return []
  const code = withoutComments(text)
  const named = outside
    .filter(({ pattern }) => pattern.test(code))
    .map(({ name }) => `${path} touches ${name}`)
  const imported = importsOf(text)
    .filter(({ specifier }) => outsideModules.includes(specifier.replace(/^node:/, '').split('/')[0] ?? ''))
    .map(({ specifier }) => `${path} imports ${specifier}`)
  return [...named, ...imported]
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

test('time, chance, the network and the process are touched at the edges only', () => {
  assert.deepEqual(sources().flatMap(touches), [])
})

test('a pure room that touches the outside is seen', () => {
  for (const text of [
    'const now = Date.now()',
    'const now = new Date( )',
    'setTimeout(() => {}, 1)',
    'const x = Math.random()',
    "await fetch('http://127.0.0.1')",
    "const home = process.env['HOME']",
    "import { readFileSync } from 'node:fs'",
    "import { connect } from 'net'",
  ])
    assert.equal(touches({ path: 'src/trusted/charter/planted.ts', text }).length, 1, text)
  for (const text of ['new Date(ms).toISOString()', '// Date.now() is not used', "import './process.ts'"])
    assert.deepEqual(touches({ path: 'src/trusted/charter/planted.ts', text }), [], text)
})

test('only the command line writes to the console', () => {
  const writes = sources()
    .filter(({ path }) => !path.startsWith('src/host/cli/'))
    .filter(({ text }) => /\bconsole\.\w+\(/.test(withoutComments(text)))
  assert.deepEqual(
    writes.map(({ path }) => path),
    [],
  )
})

test('the vault process can load neither network nor store, and files only where it starts', () => {
  const modules = moduleGraph(root, 'src/trusted/vault/process.ts')
  const ours = modules.filter((path) => path.startsWith('src/'))
  assert.deepEqual(
    ours.filter((path) => path.startsWith('src/host/')),
    [],
  )
  const importers = (name: string) =>
    ours.filter((path) =>
      importsOf(readFileSync(new URL(path, root), 'utf8')).some(
        ({ specifier, isType }) => !isType && specifier === name,
      ),
    )
  // One socket, handed to it by the host that started it.
  assert.deepEqual(importers('node:net'), ['src/trusted/vault/process.ts'])
  assert.deepEqual(importers('node:fs'), ['src/trusted/vault/keys/private-text.ts'])
  const builtIn = modules.filter((name) => name.startsWith('node:'))
  assert.deepEqual(builtIn, ['node:crypto', 'node:fs', 'node:module', 'node:net', 'node:util'])
})
