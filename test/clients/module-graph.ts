import { readFileSync } from 'node:fs'
import { findPackageJSON, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Published packages as a browser loads them: their own files, and where each of them finds the others. */
export type ModuleGraph = {
  /** For `<script type="importmap">`, without a bundler. */
  readonly importMap: string
  /** What is served under each path. */
  readonly files: ReadonlyMap<string, string>
}

/** The text of a module in the place of a package, by the name of the package. */
type StandIns = { readonly [packageName: string]: string }

/**
 * What browsers cannot load as it is: packages and parts of Node that do in Node what browsers do by themselves, and
 * what only reads proofs of hardware that nothing here asks for.
 */
export const inBrowsers: StandIns = {
  'cross-fetch': 'export const fetch = globalThis.fetch.bind(globalThis)',
  'node:crypto': 'export const webcrypto = globalThis.crypto',
  'cbor-js': 'export default {}',
  '@peculiar/x509': 'export {}',
}

type Bare = Readonly<Record<string, string>>

const HERE = import.meta.url
const IMPORT = /(?:^|[;\n}])\s*(?:import|export)\s*(?:[\w*${}\s,]+?\s*from\s*)?["']([^"'\n]+)["']/g

/**
 * Follows the static imports of packages, each resolved as Node resolves it from where it stands.
 *
 * @param names  of packages of this project, as pages will import them
 */
export function moduleGraph(names: readonly string[], standIns: StandIns = {}): ModuleGraph {
  const files = new Map<string, string>()
  const scopes: Record<string, Bare> = {}
  const pathOf = (specifier: string, from: string): string | undefined => {
    const packageName = packageOf(specifier)
    const standIn = Object.hasOwn(standIns, packageName) ? standIns[packageName] : undefined
    if (standIn !== undefined) {
      files.set(`/stand-ins/${packageName}.js`, standIn)
      return `/stand-ins/${packageName}.js`
    }
    const url = resolvedFrom(specifier, from)
    if (url === undefined) return undefined
    const path = `/modules${fileURLToPath(url)}`
    if (!files.has(path)) add(path, url)
    return path
  }
  const add = (path: string, url: string): void => {
    const text = readFileSync(fileURLToPath(url), 'utf8')
    files.set(path, text)
    const bare: Record<string, string> = {}
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = pathOf(specifier, url)
      if (target !== undefined && !specifier.startsWith('.')) bare[specifier] = target
    }
    scopes[path] = bare
  }
  const imports = Object.fromEntries(
    names.map((name) => {
      const path = pathOf(name, HERE)
      if (path === undefined) throw new Error(`${name} is not installed`)
      return [name, path]
    }),
  )
  return { importMap: JSON.stringify({ imports, scopes }), files }
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

const ASK = 'resolve-for-browsers:'

registerHooks({
  resolve: (specifier, context, next) => {
    if (!specifier.startsWith(ASK)) return next(specifier, context)
    // What `resolvedFrom` has written.
    const [from, asked] = JSON.parse(decodeURIComponent(specifier.slice(ASK.length))) as [string, string]
    const found = next(asked, { ...context, parentURL: from, conditions: ['browser', 'import', 'module'] })
    return { ...found, shortCircuit: true }
  },
})

/** Undefined for what no browser has: what is not installed, as for an import in a comment, and parts of Node. */
function resolvedFrom(specifier: string, from: string): string | undefined {
  try {
    const url = import.meta.resolve(`${ASK}${encodeURIComponent(JSON.stringify([from, specifier]))}`)
    if (!url.startsWith('file:')) return undefined
    return specifier === packageOf(specifier) ? (moduleOf(url) ?? url) : url
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Packages without `exports` name the file for browsers as bundlers look for it. */
function moduleOf(url: string): string | undefined {
  const manifest = findPackageJSON(url)
  if (manifest === undefined) return undefined
  // What every package has, as far as it matters here.
  const { exports, module } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly exports?: unknown
    readonly module?: string
  }
  if (exports !== undefined || module === undefined) return undefined
  return new URL(module, pathToFileURL(manifest)).href
}
