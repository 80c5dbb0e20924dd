import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Import = {
  readonly specifier: string
  /** Type imports are erased before the program runs, and load nothing. */
  readonly isType: boolean
}

/**
 * The modules that a module of ours imports, re-exports or loads later, according to its text. Comments do not count.
 */
export function importsOf(source: string): readonly Import[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  const statements =
    /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{][\w\s*{},$]*?\sfrom\s+)?'([^']+)'|\b(?:import|require|createRequire\(import\.meta\.url\))\(\s*'([^']+)'\s*\)/gm
  return [...code.matchAll(statements)].map(([, type, specifier, later]) => ({
    specifier: specifier ?? later ?? '',
    isType: type !== undefined,
  }))
}

/**
 * Every module that a process can load from `entry`: ours by their path from the root of the project, then packages and
 * built-in modules by their name.
 *
 * @param root   of the project, as a file URL that ends with a slash
 * @param entry  a path from the root
 */
export function moduleGraph(root: URL, entry: string): readonly string[] {
  const ours = new Set<string>()
  const others = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (ours.has(path)) continue
    ours.add(path)
    for (const { specifier, isType } of importsOf(readFileSync(new URL(path, root), 'utf8'))) {
      if (isType) continue
      if (specifier.startsWith('.')) waiting.push(pathOf(root, new URL(specifier, new URL(path, root))))
      else others.add(specifier)
    }
  }
  return [...[...ours].sort(), ...[...others].sort()]
}

function pathOf(root: URL, file: URL): string {
  if (!existsSync(file)) throw new Error(`${fileURLToPath(file)} is imported and not there`)
  return fileURLToPath(file).slice(fileURLToPath(root).length)
}
