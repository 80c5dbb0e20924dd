import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runTest } from './run-test.ts'

/** What one test file executes of the sources, and how long it takes. */
export type Seen = {
  readonly test: string
  readonly ms: number
  readonly linesByPath: Readonly<Record<string, readonly number[]>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const DEADLINE_MS = 10 * 60 * 1000

/** Runs a test file on the sources as they are; it must be green there. Processes that it starts are counted too. */
export function seenBy(test: string, paths: readonly string[]): Seen {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-seen-'))
  try {
    const { outcome, ms } = runTest(test, { env: { NODE_V8_COVERAGE: folder }, deadlineMs: DEADLINE_MS })
    if (outcome !== 'green') throw new Error(`${test} is ${outcome} without any fault planted`)
    const pathsByUrl = new Map(paths.map((path) => [pathToFileURL(root + path).href, path]))
    const lines: Record<string, Set<number>> = {}
    for (const { url, functions } of readdirSync(folder).flatMap((name) => coverageIn(join(folder, name)))) {
      const path = pathsByUrl.get(url)
      if (path === undefined) continue
      const executed = executedLines(readFileSync(root + path, 'utf8'), functions)
      lines[path] = new Set([...(lines[path] ?? []), ...executed])
    }
    return {
      test,
      ms,
      linesByPath: Object.fromEntries(Object.entries(lines).map(([path, set]) => [path, [...set]])),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type ScriptCoverage = {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

function coverageIn(path: string): readonly ScriptCoverage[] {
  // Written by V8, in the form that its inspector protocol documents.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly result: readonly ScriptCoverage[] }).result
}

/** Types are replaced by blanks when a file is loaded, so that what V8 counts stands where it stands in the file. */
function executedLines(text: string, functions: ScriptCoverage['functions']): ReadonlySet<number> {
  const isExecuted = new Uint8Array(text.length)
  const outerFirst = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of outerFirst)
    isExecuted.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  let start = 0
  const lines = text.split('\n').map((line, at) => {
    const has = line.split('').some((character, i) => character !== ' ' && isExecuted[start + i] === 1)
    start += line.length + 1
    return has ? at + 1 : 0
  })
  return new Set(lines.filter((line) => line > 0))
}
