import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = globSync(['*.md', '{.github,bench,docs,examples,packages,src,test}/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('prose keeps to 120 characters a line, so that a change of it can be read', () => {
  const long = pages.flatMap(({ path, text }) => {
    let isCode = false
    return text.split('\n').flatMap((line, at) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      return isCode || /^(\|| {4})/.test(line) || line.length <= 120 ? [] : [`${path}:${at + 1}`]
    })
  })
  assert.ok(pages.length > 50)
  assert.deepEqual(long, [])
})

test('comments keep to 120 characters a line too', () => {
  const files = globSync('{bench,bin,console,examples,frames,packages,release,site,src,test}/**/*.{ts,js}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  const long = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /^\s*(\/\/|\/?\*)/.test(line) && line.length > 120 ? [`${path}:${at + 1}`] : [],
      ),
  )
  assert.ok(files.length > 2_000)
  assert.deepEqual(long, [])
})

test('every link from page to page leads to a file and to a heading in it', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.replace(/^```[^]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [file = '', heading] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      const isThere = existsSync(join(root, target))
      const isFound = heading === undefined || (isThere && headingsOf(target).has(heading))
      return isThere && isFound ? [] : [`${path}: ${link}`]
    }),
  )
  assert.deepEqual(broken, [])
})

/** As they are named in links: lower case, without marks, hyphens for blanks. */
function headingsOf(path: string): ReadonlySet<string> {
  const lines = readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.*)$/gm)
  return new Set(
    [...lines].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

test('every file that a page names is there', () => {
  const files = globSync(
    [
      '*',
      '.ci/*',
      '{bench,bin,console,docs,examples,frames,release,src,test}/**/*',
      'packages/*/{src,test}/**/*',
    ],
    { cwd: root },
  )
  const missing = pages
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|js|md|txt|gz))`/g)].flatMap(([, name = '']) =>
        files.some((file) => file === name || file.endsWith(`/${name}`)) ? [] : [`${path}: ${name}`],
      ),
    )
  assert.deepEqual(missing, [])
})

const decisions = pages.filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path))

test('every decision says its situation, its choice and its price, and ends with its date and status', () => {
  const without = decisions.flatMap(({ path, text }) =>
    problemsOfDecision(text).map((one) => `${path}: ${one}`),
  )
  assert.ok(decisions.length > 60)
  assert.deepEqual(without, [])
})

test('every decision stands once in the list of them', () => {
  const list = pages.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? ''
  const listed = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\): /gm)].map(
    ([, file]) => `docs/decisions/${file}`,
  )
  assert.deepEqual(listed.toSorted(), decisions.map(({ path }) => path).toSorted())
})

test('a decision without its price, its date or its status is found out', () => {
  const page = `# Title

**Situation.** One.

**Choice.** Two.

**Price.** Three.

*2026-11-21. In force. See [another](another.md),
\`src/file.ts\`.*
`
  assert.deepEqual(problemsOfDecision(page), [])
  assert.deepEqual(problemsOfDecision(page.replace('In force', 'Superseded by [another](another.md)')), [])
  assert.deepEqual(problemsOfDecision(page.replace('**Price.** Three.', 'Three.')), [
    'it has no **Situation.**, **Choice.** and **Price.**, each once and in this order',
  ])
  const swapped = page.replace('Situation', 'Place').replace('Price', 'Situation').replace('Place', 'Price')
  assert.equal(problemsOfDecision(swapped).length, 1)
  for (const line of ['2026-11-21. See', 'In force. See', '2026-11-21. In force? See'])
    assert.deepEqual(problemsOfDecision(page.replace('2026-11-21. In force. See', line)), [
      'its last line is not *date. Status. See links.*',
    ])
  assert.equal(problemsOfDecision(`${page}\nMore.\n`).length, 1)
})

const DECISION_PARTS = ['Situation', 'Choice', 'Price']
const LAST_LINE =
  /^\*\d{4}-\d{2}-\d{2}\. (In force|Proposed|Superseded by \[[^\]]+\]\([^)]+\))\.\sSee\s\[[^]+\*$/

function problemsOfDecision(text: string): readonly string[] {
  const parts = [...text.matchAll(/^\*\*(\w+)\.\*\*(?=\s)/gm)].flatMap(([, part = '']) =>
    DECISION_PARTS.includes(part) ? [part] : [],
  )
  const last = text.trimEnd().split('\n\n').at(-1) ?? ''
  return [
    parts.join() === DECISION_PARTS.join()
      ? []
      : ['it has no **Situation.**, **Choice.** and **Price.**, each once and in this order'],
    LAST_LINE.test(last) ? [] : ['its last line is not *date. Status. See links.*'],
  ].flat()
}
