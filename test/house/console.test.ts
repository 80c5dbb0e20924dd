import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { transform } from 'esbuild'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { circles } from './circles.ts'
import { root, type Source } from './sources.ts'

/**
 * A file of the console imports from its own room and from rooms before it; of the service and the frames, what runs in
 * any page.
 */
const rooms = [
  'src/trusted/',
  'src/host/approval/',
  'frames/base/',
  'frames/failures.ts',
  'frames/bundles/',
  'frames/keys/',
  'console/arithmetic/',
  'console/platform/',
  'console/readers/',
  'console/words/',
  'console/service/',
  'console/session/',
  'console/parts/',
  'console/screens/',
  'console/shell/',
  'console/main.tsx',
]

function consoleSources(): readonly Source[] {
  return globSync('console/**/*.{ts,tsx}', { cwd: root, exclude: ['console/build*.ts'] })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
}

function violations(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      .filter((target) => roomOf(target) < 0 || roomOf(target) > roomOf(path) || isOtherScreen(target, path))
      .map((target) => `${path} imports ${target}`),
  )
}

function roomOf(path: string): number {
  return rooms.findIndex((room) => path.startsWith(room))
}

/** Of the screens, only the list of them knows others. */
function isOtherScreen(target: string, path: string): boolean {
  const [from, to] = [path, target].map((file) => /^console\/screens\/([\w-]+)\//.exec(file)?.[1])
  return from !== undefined && to !== undefined && from !== to
}

test('a file of the console imports only from its own room and from rooms above it', () => {
  assert.deepEqual(violations(consoleSources()), [])
  for (const [path, specifier] of [
    ['console/parts/planted.tsx', '../screens/list.ts'],
    ['console/screens/a/a.tsx', '../b/b.tsx'],
    ['console/screens/a/a.tsx', '../../../src/host/store/store.ts'],
  ] as const)
    assert.equal(violations([{ path, text: `import { x } from '${specifier}'` }]).length, 1, specifier)
})

test('no files of the console import one another in a circle', () => {
  assert.deepEqual(circles(consoleSources()), [])
})

test('no component holds a text of its own: words stand in a catalogue', async () => {
  const found: string[] = []
  for (const { path, text } of consoleSources())
    if (path.endsWith('.tsx')) found.push(...(await textsIn(text)).map((one) => `${path}: ${one}`))
  assert.deepEqual(found, [])
  for (const planted of [
    'const a = <p>Hello you</p>',
    'const a = <p>{x} waits</p>',
    'const a = <img alt="A key" src={x} />',
    'const a = <a aria-label="Menu">{x}</a>',
  ])
    assert.equal((await textsIn(planted)).length, 1, planted)
  const plain =
    'const a = xs.map((x) => x > 1 ? <p class="note bad">{say("a")}</p> : <b> · </b>) as Map<string, b>'
  assert.deepEqual(await textsIn(plain), [])
})

/** Texts between tags, and in attributes that are read to somebody. */
async function textsIn(source: string): Promise<readonly string[]> {
  const { code } = await transform(source, {
    loader: 'tsx',
    jsx: 'transform',
    jsxFactory: 'element',
    jsxFragment: 'null',
    minifyWhitespace: true,
    charset: 'utf8',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const tokens =
    code.match(/element\(|[([{]|[)\]}]|,|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[\w-]+:|[^]/g) ?? []
  const found: string[] = []
  const open: { readonly isElement: boolean; commas: number }[] = []
  tokens.forEach((token, at) => {
    const within = open.at(-1)
    if (/^(element\(|[([{])$/.test(token)) open.push({ isElement: token === 'element(', commas: 0 })
    else if (/^[)\]}]$/.test(token)) open.pop()
    else if (token === ',' && within !== undefined) within.commas++
    else if (/^["'`]/.test(token)) {
      const isChild = within?.isElement === true && within.commas >= 2
      const isSpoken = SPOKEN.test(tokens.slice(Math.max(0, at - 2), at).join(''))
      // What something is compared with is not read.
      const isText = /\p{L}{2}/u.test(token) && tokens[at - 1] !== '='
      if ((isChild || isSpoken) && isText) found.push(token)
    }
  })
  return found
}

const SPOKEN = /(?:^|[^\w-])(?:alt|title|placeholder|label|"aria-label"):$/
