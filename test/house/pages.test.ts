import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = globSync(['*.md', '{.github,bench,docs,examples,src,test}/**/*.md'], {
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

test('every link from page to page leads to a file and to a heading in it', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.replace(/^```[^]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [file = '', heading] = link.split('#')
      const target = join(
        dirname(path),
        file === '' ? path.slice(dirname(path).length).replace(/^\//, '') : file,
      )
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
  const files = globSync(['*', '.ci/*', '{bench,bin,docs,examples,src,test}/**/*'], { cwd: root })
  const missing = pages
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|js|md|txt|gz))`/g)].flatMap(([, name = '']) =>
        files.some((file) => file === name || file.endsWith(`/${name}`)) ? [] : [`${path}: ${name}`],
      ),
    )
  assert.deepEqual(missing, [])
})
