import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importsOf } from '../src/host/cli/module-graph.ts'
import { linesOnly } from './lines-only.ts'
import { outputOf } from './output-of.ts'
import { ENTRIES, runningModules } from './running-modules.ts'

/**
 * Writes JavaScript and source maps of every module that runs into `lib` of this folder, one file for each source, and
 * the declarations that the entry for test suites needs. The compiler emits more, such as files of types alone: that
 * goes.
 */
export function emit(root: URL, folder: string): void {
  const lib = join(folder, 'lib')
  const entries = Object.values(ENTRIES)
  const modules = runningModules(root, entries)
  compile(root, modules, lib)
  const kept = new Set([
    ...modules.flatMap((path) => [emitted(path, '.js'), emitted(path, '.js.map')]),
    ...declarationsFrom(lib, emitted(ENTRIES.testing, '.d.ts')),
  ])
  for (const path of globSync('**/*.{js,map,ts}', { cwd: lib }))
    if (!kept.has(path.replaceAll('\\', '/'))) rmSync(join(lib, path))
}

/** A source, by the path under `lib` of what is made of it. */
function emitted(source: string, ending: '.js' | '.js.map' | '.d.ts'): string {
  return source.replace(/^src\//, '').replace(/\.ts$/, ending)
}

function compile(root: URL, modules: readonly string[], lib: string): void {
  const from = (path: string): string => fileURLToPath(new URL(path, root))
  const settings = {
    extends: from('tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      rootDir: from('src'),
      outDir: lib,
      declaration: true,
      sourceMap: true,
      rewriteRelativeImportExtensions: true,
      typeRoots: [from('node_modules/@types')],
    },
    // Of packages without types, ours say what we use.
    files: [...modules, ...globSync('src/**/*.d.ts', { cwd: fileURLToPath(root) })].map(from),
    include: [],
  }
  mkdirSync(dirname(lib), { recursive: true })
  const file = join(dirname(lib), 'tsconfig.emit.json')
  writeFileSync(file, JSON.stringify(settings))
  const compiler = from('node_modules/typescript/bin/tsc')
  outputOf(process.execPath, [compiler, '-p', file], root)
  rmSync(file)
  for (const path of globSync('**/*.js.map', { cwd: lib })) nameSource(lib, path.replaceAll('\\', '/'))
}

/**
 * As if the sources stood beside `lib`: where they were on this machine is no part of the package. Lines are enough for
 * a trace.
 */
function nameSource(lib: string, path: string): void {
  const file = join(lib, path)
  const source = `src/${path.replace(/\.js\.map$/, '.ts')}`
  // The compiler wrote it just now.
  const map = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly sources: readonly string[]
    readonly mappings: string
  }
  const sources = [posix.relative(posix.dirname(`lib/${path}`), source)]
  writeFileSync(file, JSON.stringify({ ...map, sources, mappings: linesOnly(map.mappings) }))
}

/**
 * The declarations that one names, and that those name, and so on; with paths that every version of the compiler
 * follows.
 */
function declarationsFrom(lib: string, entry: string): readonly string[] {
  const found = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const file = join(lib, path)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(RELATIVE, '$1.js$2'))
    for (const { specifier } of importsOf(text.replaceAll(/import\("([^"]+)"\)/g, "import('$1')"))) {
      if (!specifier.startsWith('.')) continue
      const named = posix.join(posix.dirname(path), specifier).replace(/\.ts$/, '.d.ts')
      if (!existsSync(join(lib, named))) throw new Error(`${path} names ${specifier}, which is not there`)
      waiting.push(named)
    }
  }
  return [...found]
}

const RELATIVE = /((?:from |import\()['"]\.[^'"]+)\.ts(['"])/g
