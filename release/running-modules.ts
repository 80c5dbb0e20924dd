import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { moduleGraph } from '../src/host/cli/module-graph.ts'

/** What a user of the package starts: the command, and what test suites import. */
export const ENTRIES = {
  command: 'src/host/cli/main.ts',
  testing: 'src/host/emulator/start-claviger.ts',
} as const

/**
 * Every module of ours that can be loaded from these entries, by its path from the root: what they import, now or
 * later, and what they start by its file, such as the vault.
 *
 * @param root     of the project, as a file URL that ends with a slash
 * @param entries  paths from the root
 */
export function runningModules(root: URL, entries: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const waiting = [...entries]
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop())
    for (const path of moduleGraph(root, entry)) {
      if (!path.startsWith('src/') || found.has(path)) continue
      found.add(path)
      waiting.push(...startedByFile(path, readFileSync(new URL(path, root), 'utf8')))
    }
  return [...found].sort()
}

function startedByFile(path: string, source: string): readonly string[] {
  const calls = source.matchAll(/\bownModule\(\s*'([^']+)'/g)
  return [...calls].map(([, started = '']) => posix.join(posix.dirname(path), started))
}
