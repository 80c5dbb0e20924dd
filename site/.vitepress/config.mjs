import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folders that make the sidebar, in the order of somebody who learns. */
const PARTS = [
  ['Tutorials', 'docs/tutorials'],
  ['How to', 'docs/how-to'],
  ['Background', 'docs/explanation'],
  ['Reference', 'docs/reference'],
]

const NO_PAGES = ['.github', 'bench', 'examples', 'node_modules', 'packages', 'site', 'src', 'test']

export default defineConfig({
  title: 'Claviger',
  description: 'An open, self-hosted key management service',
  // The pages themselves, as they stand in the repository.
  srcDir: '..',
  srcExclude: NO_PAGES.map((folder) => `${folder}/**`),
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  rewrites: sitePathOf,
  cleanUrls: true,
  markdown: { config: leadToPages, anchor: { slugify: headingId } },
  // A reader of a tutorial has these on their own machine.
  ignoreDeadLinks: 'localhostLinks',
  vite: {
    plugins: [packagesOfTheSite()],
    // The settings of the service's TypeScript are none of the site's.
    esbuild: { tsconfigRaw: '{}' },
    build: { chunkSizeWarningLimit: 5000 },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: PARTS.map(([text, folder]) => ({ text, items: pagesIn(folder) })),
  },
})

/** Pages lie outside of this folder, and what they are compiled to finds its packages all the same. */
function packagesOfTheSite() {
  const here = fileURLToPath(import.meta.url)
  return {
    name: 'packages-of-the-site',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (!/^vue(\/|$)/.test(id) || importer === here) return null
      return await this.resolve(id, here, { ...options, skipSelf: true })
    },
  }
}

/** The start page of the documentation is the front page of the site. */
function sitePathOf(page) {
  return page === 'docs/README.md' ? 'index.md' : page.replace(/\/README\.md$/, '/index.md')
}

function pagesIn(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ text: titleOf(join(root, folder, name)), link: addressOf(`${folder}/${name}`) }))
}

function titleOf(path) {
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? path
}

function addressOf(page) {
  return `/${sitePathOf(page)}`.replace(/(index)?\.md$/, '')
}

/** As links in the repository name headings. */
function headingId(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** A link from page to page goes by the addresses of the site; one to a file that is no page here becomes its text. */
function leadToPages(markdown) {
  markdown.core.ruler.push('lead-to-pages', ({ tokens, env }) => {
    for (const { children } of tokens) {
      const open = []
      for (const token of children ?? []) {
        if (token.type === 'link_open') open.push(isLed(token, env.realPath ?? env.path) ? undefined : token)
        else if (token.type === 'link_close' && unlinked(open.pop())) unlinked(token)
        // The site would evaluate what stands in double braces.
        else if (token.type === 'code_inline') token.attrSet('v-pre', '')
      }
    }
  })
}

function isLed(link, from) {
  const href = link.attrGet('href')
  if (/^([a-z]+:|#)/.test(href)) return true
  const [path, heading] = href.split('#')
  const page = relative(root, resolve(dirname(from), decodeURI(path)))
  if (!page.endsWith('.md') || NO_PAGES.includes(page.split('/')[0])) return false
  // The build reports a page that is not there.
  link.attrSet('href', addressOf(page) + (heading === undefined ? '' : `#${heading}`))
  return true
}

function unlinked(token) {
  if (token === undefined) return false
  Object.assign(token, { type: 'text', tag: '', nesting: 0, attrs: null, content: '' })
  return true
}
