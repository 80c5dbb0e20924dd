import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { separateWords } from './build-words.ts'
import { type BuiltFile, licensesOf, sumsOf } from '../release/built-files.ts'

const PROJECT = new URL('../', import.meta.url)

/**
 * Builds the console: the same sources and tools give the same bytes on every machine and in every folder.
 *
 * @param project  the folder that holds `console/` and `node_modules/`, as a file URL that ends with a slash
 * @returns        `index.html`, its icon, scripts and styles named by their content, the licenses of what is in them, and `SHA256SUMS`
 */
export async function buildConsole(project = PROJECT): Promise<readonly BuiltFile[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(project),
    entryPoints: { app: 'console/main.tsx', style: 'console/style/style.css' },
    tsconfig: fileURLToPath(new URL('console/tsconfig.json', project)),
    outdir: 'out',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    charset: 'utf8',
    legalComments: 'none',
    // Names are made of paths too: by those within the project, wherever its packages lie.
    preserveSymlinks: true,
    metafile: true,
    // The readers of the vault run in the page as they are, on as much of Node as they use.
    alias: {
      'node:crypto': './console/platform/node-crypto.ts',
      'node:module': './console/platform/node-module.ts',
    },
    inject: ['frames/base/buffer.ts'],
    plugins: [separateWords(project), platform(project)],
    write: false,
    logLevel: 'silent',
  })
  await stop()
  const named = outputFiles.map(({ path, contents }) => ({
    name: posix.basename(path.replaceAll('\\', '/')),
    bytes: contents,
  }))
  const licenses = { name: 'licenses.txt', bytes: Buffer.from(licensesOf('The console', project, metafile)) }
  const icon = { name: 'icon.svg', bytes: readFileSync(new URL('console/icon.svg', project)) }
  const page = { name: 'index.html', bytes: Buffer.from(pageOf(project, named)) }
  const files = [page, icon, ...named, licenses].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [...files, sumsOf(files)]
}

/**
 * What the vault does and a page need not, by the file in `console/platform` that stands for it. The vault has had a library read
 * each PSBT once more before anybody is asked, and its arithmetic of keys is for keys, of which the readers in a page have none.
 */
const REPLACED = [
  { filter: /\/second-reading\.ts$/, by: 'second-reading.ts', within: /^/ },
  { filter: /\/secp256k1-backend\.ts$/, by: 'secp256k1-backend.ts', within: /^/ },
  { filter: /^@noble\/curves\/nist\.js$/, by: 'p256.ts', within: /^/ },
  {
    filter: /\/(eip712|eip712-digest|seen-typed-data)\.ts$/,
    by: 'typed-data.ts',
    within: /[\\/]ethereum\.ts$/,
  },
] as const

/** What opens and makes bundles has keys, and verifies with them. */
const IN_FRAMES = /[\\/]frames[\\/](bundles|keys)[\\/]/

/**
 * A file of a package is bundled whole for all that load it, and what has keys needs more of this one than the readers do. So it has
 * a copy of its own.
 */
const COPIED = /^@noble\/hashes\/sha2\.js$/
const HAS_KEYS = /[\\/](@noble[\\/]curves|frames[\\/](bundles|keys))[\\/]/

/**
 * What is loaded on demand, by a page that has already run: it may take for granted what is there by then, so that the bundler makes
 * no file of its own of everything that some have in common with the page, and others not. Interfaces of contracts are read with parts
 * of the readers; with the whole of them, an approval stays as small as it was.
 */
const LOADED_AFTER = [
  { loaded: /[\\/]console[\\/]screens[\\/]([^\\/]+)[\\/]\1\.tsx$/, first: 'console/shell/page.tsx' },
  { loaded: /[\\/]policies[\\/]editor\.ts$/, first: 'console/shell/page.tsx' },
  { loaded: /[\\/]contracts[\\/]functions-in\.ts$/, first: 'console/readers/readers.ts' },
  { loaded: /[\\/]policies[\\/]lint\.ts$/, first: 'console/screens/policies/editor.ts' },
  { loaded: /[\\/]templates[\\/]templates\.tsx$/, first: 'console/screens/policies/policies.tsx' },
  { loaded: /[\\/]console[\\/]readers[\\/][^\\/]+\.ts$/, first: 'console/shell/page.tsx' },
  { loaded: /[\\/]approval[\\/]chains[\\/]\w+(-data)?-words\.ts$/, first: 'console/readers/readers.ts' },
  {
    loaded: /[\\/]approval[\\/](known-activities|change-words|payload-words|rare-stamps)\.ts$/,
    first: 'console/readers/readers.ts',
  },
] as const

function platform(project: URL): Plugin {
  const pathOf = (path: string): string => fileURLToPath(new URL(path, project))
  return {
    name: 'platform',
    setup: ({ onLoad, onResolve, resolve }) => {
      for (const { filter, by, within } of REPLACED)
        onResolve({ filter }, ({ importer }) =>
          IN_FRAMES.test(importer) || !within.test(importer)
            ? undefined
            : { path: pathOf(`console/platform/${by}`) },
        )
      onResolve({ filter: COPIED }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === FOUND || !HAS_KEYS.test(importer)) return undefined
        const found = await resolve(path, { importer, resolveDir, kind, pluginData: FOUND })
        return { path: found.path, suffix: '?keys' }
      })
      onLoad({ filter: /[\\/](console|approval)[\\/].*\.tsx?$/ }, async ({ path }) => {
        const after = LOADED_AFTER.find(({ loaded }) => loaded.test(path))
        if (after === undefined) return undefined
        const source = await readFile(path, 'utf8')
        const first = relative(dirname(path), pathOf(after.first)).replaceAll('\\', '/')
        return { contents: `${source}\nimport './${first}'\n`, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

const FOUND = Symbol('found')

/** A browser runs and applies these very files, or none. */
function pageOf(project: URL, files: readonly BuiltFile[]): string {
  const page = readFileSync(new URL('console/index.html', project), 'utf8')
  return page.replace(/(src|href)="(app|style)\.(js|css)"/g, (_, attribute, name, ending) => {
    const file = files.find((one) => one.name.startsWith(`${name}-`) && one.name.endsWith(`.${ending}`))
    if (file === undefined) throw new Error(`nothing was built for ${name}.${ending}`)
    const digest = createHash('sha384').update(file.bytes).digest('base64')
    return `${attribute}="${file.name}" integrity="sha384-${digest}"`
  })
}
