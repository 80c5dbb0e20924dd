import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { separateWords } from './build-words.ts'
import { type BuiltFile, licensesOf, sumsOf } from '../release/built-files.ts'

const PROJECT = new URL('../', import.meta.url)

/**
 * Builds the console: the same sources and tools give the same bytes on every machine and in every folder.
 *
 * @param project  the folder that holds `console/` and `node_modules/`, as a file URL that ends with a slash
 * @returns        `index.html`, its icon, scripts and styles named by their content, the licenses of what is in them,
 *   and `SHA256SUMS`
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

/** Where a chain is declared, such as `chains/tron/tron.ts`. */
const DECLARATION = /[\\/]trusted[\\/]chains[\\/]([^\\/]+)[\\/]\1\.ts$/

/** Files that import a package, and not those of packages that import one another. */
const OWN = /^(?!.*[\\/]node_modules[\\/]@)/

/**
 * What a page has a file of its own for: what the vault does and a page need not, and what is done in a page with
 * public numbers alone. The vault has had a library read each PSBT once more before anybody is asked, and its
 * arithmetic of keys is for keys, of which the readers in a page have none.
 */
const REPLACED = [
  { filter: /\/second-reading\.ts$/, by: 'platform/second-reading.ts', within: /^/ },
  { filter: /\/base\/costs\.ts$/, by: 'platform/costs.ts', within: /^/ },
  { filter: /^\.\.\/chain\.ts$/, by: 'platform/chain.ts', within: DECLARATION },
  { filter: /\/secp256k1-backend\.ts$/, by: 'platform/secp256k1-backend.ts', within: /^/ },
  { filter: /^@noble\/hashes\/sha2\.js$/, by: 'platform/sha2.ts', within: OWN },
  { filter: /^@noble\/hashes\/sha3\.js$/, by: 'platform/sha3.ts', within: OWN },
  { filter: /^@noble\/hashes\/legacy\.js$/, by: 'platform/legacy.ts', within: OWN },
  { filter: /^@scure\/base$/, by: 'platform/base.ts', within: OWN },
  { filter: /^@noble\/curves\/nist\.js$/, by: 'platform/p256.ts', within: /^/ },
  {
    filter: /^@noble\/curves\/secp256k1\.js$/,
    by: 'platform/secp256k1.ts',
    within: /[\\/]rare-secp256k1\.ts$/,
  },
  { filter: /^@noble\/curves\/ed25519\.js$/, by: 'platform/ed25519.ts', within: /[\\/]rare-ed25519\.ts$/ },
  {
    filter: /\/(eip712|eip712-digest|seen-typed-data)\.ts$/,
    by: 'platform/typed-data.ts',
    within: /[\\/]ethereum\.ts$/,
  },
] as const

/** What opens and makes bundles has keys, and verifies with them. */
const IN_FRAMES = /[\\/]frames[\\/](bundles|keys)[\\/]/

/**
 * What verifies stamps on one curve is one file: it has copies of its own of what *Sign something* verifies with too.
 */
const RARE_CURVE = /[\\/](weierstrass|edwards|points|numbers)\.ts$/
const FOR_STAMPS = /[\\/]platform[\\/](secp256k1|ed25519)\.ts$/

type LoadedAfter = { readonly loaded: RegExp; readonly first: string; readonly and?: string }

/**
 * What is loaded on demand, by a page that has already run: it may take for granted what is there by then, so that the
 * bundler makes no file of its own of everything that some have in common with the page, and others not. Interfaces of
 * contracts are read with parts of the readers; with the whole of them, an approval stays as small as it was. Limits
 * are read with parts of the language of policies; with the whole of it, that stays one file.
 */
const LOADED_AFTER: readonly LoadedAfter[] = [
  { loaded: /[\\/]limits[\\/]limits\.tsx$/, first: 'console/screens/policies/editor.ts' },
  { loaded: /[\\/]policies[\\/]editor\.ts$/, first: 'console/readers/shared.ts' },
  { loaded: /[\\/]screens[\\/](sign-in|approvals)[\\/]\1\.tsx$/, first: 'console/shell/page.tsx' },
  { loaded: /[\\/]console[\\/]screens[\\/]([^\\/]+)[\\/]\1\.tsx$/, first: 'console/parts/often-used.ts' },
  {
    loaded: /[\\/](sign-in[\\/]later[\\/]code-form\.tsx|parts[\\/]often-used\.ts)$/,
    first: 'console/shell/page.tsx',
  },
  {
    loaded: /[\\/]approvals[\\/]later[\\/]more-by-host\.tsx$/,
    first: 'console/screens/approvals/approvals.tsx',
  },
  {
    loaded: /[\\/](contracts[\\/]functions-in|chains[\\/]typed-data-words)\.ts$/,
    first: 'console/readers/readers.ts',
    and: 'src/host/approval/chains/evm-call.ts',
  },
  { loaded: /[\\/]policies[\\/]lint\.ts$/, first: 'console/screens/policies/editor.ts' },
  {
    loaded: /[\\/](policies[\\/]later[\\/]one-policy|templates[\\/]templates)\.tsx$/,
    first: 'console/screens/policies/policies.tsx',
    and: 'console/readers/shared.ts',
  },
  {
    loaded: /[\\/]console[\\/]readers[\\/](checked|signature|typed-data-digest)\.ts$/,
    first: 'console/readers/readers.ts',
  },
  { loaded: /[\\/]console[\\/]readers[\\/][^\\/]+\.ts$/, first: 'console/shell/page.tsx' },
  { loaded: /[\\/]approval[\\/]chains[\\/]\w+(-data)?-words\.ts$/, first: 'console/readers/readers.ts' },
  {
    loaded: /[\\/]approval[\\/](known-activities|change-words|rare-\w+|passkey-stamp)\.ts$/,
    first: 'console/readers/readers.ts',
  },
]

function platform(project: URL): Plugin {
  const pathOf = (path: string): string => fileURLToPath(new URL(path, project))
  return {
    name: 'platform',
    setup: ({ onLoad, onResolve, resolve }) => {
      for (const { filter, by, within } of REPLACED)
        onResolve({ filter }, ({ importer, pluginData }) =>
          IN_FRAMES.test(importer) || pluginData === OF_KEYS || !within.test(importer)
            ? undefined
            : { path: pathOf(`console/${by}`) },
        )
      onResolve({ filter: /\/trusted\/(chains|crypto)\// }, ({ path, importer, resolveDir }) =>
        IN_FRAMES.test(importer) ? { path: join(resolveDir, path), suffix: '?keys' } : undefined,
      )
      onLoad({ filter: /[\\/]trusted[\\/](chains|crypto)[\\/]/ }, async ({ path, suffix }) =>
        suffix === '' ? undefined : { contents: await readFile(path), loader: 'ts', pluginData: OF_KEYS },
      )
      onResolve({ filter: RARE_CURVE }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        const [, curve = pluginData] = FOR_STAMPS.exec(importer) ?? []
        if (pluginData === FOUND || typeof curve !== 'string') return undefined
        const found = await resolve(path, { importer, resolveDir, kind, pluginData: FOUND })
        return { path: found.path, suffix: `?${curve}` }
      })
      onLoad({ filter: /[\\/]arithmetic[\\/]/ }, async ({ path, suffix }) =>
        suffix === ''
          ? undefined
          : { contents: await readFile(path), loader: 'ts', pluginData: suffix.slice(1) },
      )
      onLoad({ filter: /[\\/]trusted[\\/]chains[\\/][^\\/]+[\\/]/ }, async ({ path }) =>
        DECLARATION.test(path)
          ? { contents: withoutPolicies(await readFile(path, 'utf8'), path), loader: 'ts' }
          : undefined,
      )
      // To declare a failure has no effect, so a page leaves out those that nothing in it throws.
      onLoad({ filter: /[\\/]trusted[\\/].*failures\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        return {
          contents: source.replaceAll('= defineFailure', '= /* @__PURE__ */ defineFailure'),
          loader: 'ts',
        }
      })
      onLoad({ filter: /[\\/](console|approval)[\\/].*\.tsx?$/ }, async ({ path }) => {
        const after = LOADED_AFTER.find(({ loaded }) => loaded.test(path))
        if (after === undefined) return undefined
        const imports = [after.first, ...(after.and === undefined ? [] : [after.and])].map(
          (one) => `import './${relative(dirname(path), pathOf(one)).replaceAll('\\', '/')}'\n`,
        )
        const contents = [await readFile(path, 'utf8'), ...imports].join('\n')
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

/**
 * The declaration without what only policies and tests ask of a chain: what may be named of it, and its example; and
 * without the beginnings of its payloads, which a page knows before it loads the chain (`known-chains.ts`).
 */
function withoutPolicies(source: string, path: string): string {
  const rest = source
    .replace(/^import \{ \w+Namespace \} from .*\n/m, '')
    .replace(/^ +(namespace|comparedWith|begins|shows): .*,\n/gm, '')
    .replace(/^  example: \{[^}]*\},\n/m, '')
  if (/Namespace|^ +(example|comparedWith|begins|shows):/m.test(rest) || source.length - rest.length < 200)
    throw new Error(`${path} declares its chain in another form than the build of the console knows`)
  return rest
}

const FOUND = Symbol('found')
const OF_KEYS = Symbol('of keys')

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
