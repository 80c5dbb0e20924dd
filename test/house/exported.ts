import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { root, type Source } from './sources.ts'

/** A name that a file exports, and the files that import it by that name. */
export type Export = {
  readonly path: string
  readonly name: string
  readonly importers: readonly string[]
  /** Whether its own file names it beside where it is declared. */
  readonly isUsedWithin: boolean
}

/**
 * The service, its tests, benchmarks and programs. Left out are pages of their own, and files that stand in for
 * packages.
 */
export function modules(): readonly Source[] {
  return globSync(['{src,test,bench,bin,console,examples,frames,packages,release}/**/*.{ts,tsx,js}'], {
    cwd: root,
    // What is built, and types that are generated where somebody tries the example.
    exclude: ['**/node_modules/**', 'packages/*/dist/**', 'examples/openapi-client/claviger.d.ts'],
  })
    .filter((path) => !/^(test\/(kit|bundlers)|packages\/turnkey-crypto)/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
}

export function exportsOf(files: readonly Source[]): readonly Export[] {
  const importers = new Map<string, string[]>()
  for (const { path, text } of files)
    for (const { from, name } of importedBy(withoutComments(text))) {
      const key = `${posix.join(posix.dirname(path), from)} ${name}`
      importers.set(key, [...(importers.get(key) ?? []), path])
    }
  return files.flatMap(({ path, text }) => {
    const code = withoutComments(text)
    return exportedBy(code).map((name) => ({
      path,
      name,
      importers: [...(importers.get(`${path} ${name}`) ?? []), ...(importers.get(`${path} *`) ?? [])],
      isUsedWithin: (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1,
    }))
  })
}

const NAMED = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/gm
const WHOLE = /^import\s+\*\s+as\s+\w+\s+from\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/gm
const DECLARED =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|type|interface)\s+([\w$]+)/gm
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

function importedBy(text: string): readonly { readonly from: string; readonly name: string }[] {
  const named = [...text.matchAll(NAMED)].flatMap(([, list = '', from = '']) =>
    namesIn(list).map(({ name }) => ({ from, name })),
  )
  // A module that is imported as a whole may use any of its names.
  const whole = [...text.matchAll(WHOLE)].map(([, from, later]) => ({ from: from ?? later ?? '', name: '*' }))
  return [...named, ...whole]
}

function exportedBy(text: string): readonly string[] {
  const declared = [...text.matchAll(DECLARED)].map(([, name = '']) => name)
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = '']) => namesIn(list).map(({ as }) => as))
  return [...declared, ...listed]
}

/** `a, type b, c as d` */
function namesIn(list: string): readonly { readonly name: string; readonly as: string }[] {
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type\s+/, ''))
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', as = name] = item.split(/\s+as\s+/)
      return { name, as }
    })
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
