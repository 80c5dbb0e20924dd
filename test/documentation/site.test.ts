import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

// The site is built of the pages as they stand here, by packages of its own.
const site = join(projectFolder, 'site')
const vitepress = join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const missing =
  'what builds the site is not installed here: npm install --no-save --ignore-scripts --prefix site'

test('the site is built, each of its links leads to a page and a heading, and nothing is loaded from elsewhere', {
  skip: existsSync(vitepress) ? false : missing,
}, () => {
  const out = join(temporaryFolder(), 'dist')
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitepress, 'build', '--outDir', out], {
    cwd: site,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)

  const built = globSync('**/*.html', { cwd: out })
  for (const page of globSync('docs/{tutorials,how-to,explanation,reference}/**/*.md', {
    cwd: projectFolder,
  }))
    assert.ok(built.includes(page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')), page)

  const pages = new Map(built.map((page) => [page, readFileSync(join(out, page), 'utf8')]))
  const broken = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].flatMap(([, href = '']) =>
      leadsSomewhere(href, page, pages) ? [] : [`${page}: ${href}`],
    ),
  )
  assert.deepEqual(broken, [])
  for (const [page, html] of pages)
    assert.deepEqual(
      [...html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="(?:https?:)?\/\/[^"]*/g)],
      [],
      page,
    )
})

function leadsSomewhere(href: string, from: string, pages: ReadonlyMap<string, string>): boolean {
  if (/^[a-z]+:/.test(href)) return true
  const [path = '', heading = ''] = decodeURIComponent(href.replaceAll('&amp;', '&')).split('#')
  const target = path === '' ? from : path.startsWith('/') ? path.slice(1) : join(dirname(from), path)
  const file =
    target === '' || target.endsWith('/')
      ? `${target}index.html`
      : target.endsWith('.html')
        ? target
        : `${target}.html`
  const html = pages.get(file)
  return html !== undefined && (heading === '' || html.includes(`id="${heading}"`))
}
