import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executedIn, type LinesByPath, type ScriptCoverage } from './observed-lines.ts'
import { runTests } from './run-tests.ts'

/** What one test executes of the sources, and how long it takes. */
export type Seen = {
  readonly file: string
  readonly name: string
  readonly ms: number
  readonly linesByPath: LinesByPath
}

const DEADLINE_MS = 10 * 60 * 1000

/**
 * Runs a test file on the sources as they are; it must be green there. What the file executes while it is loaded, and
 * what processes execute that it starts, counts for each of its tests.
 */
export async function seenBy(file: string, paths: readonly string[]): Promise<readonly Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-seen-'))
  try {
    const tests: Seen[] = []
    const ofAll: LinesByPath[] = []
    const outcome = await runTests(
      { tests: [{ file }], observe: paths },
      {
        env: { NODE_V8_COVERAGE: folder },
        deadlineMsOf: () => DEADLINE_MS,
        onTold: (told) => {
          if ('loaded' in told) ofAll.push(told.loaded)
          if ('ended' in told) tests.push({ file, name: told.ended, ms: told.ms, linesByPath: told.lines })
        },
      },
    )
    if (outcome.kind !== 'green')
      throw new Error(`${file} is ${outcome.kind} without any fault planted: ${outcome.by}`)
    const linesIn = executedIn(paths)
    for (const name of readdirSync(folder)) ofAll.push(linesIn(coverageIn(join(folder, name))))
    return tests.map((test) => ({ ...test, linesByPath: together([test.linesByPath, ...ofAll]) }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function together(all: readonly LinesByPath[]): LinesByPath {
  const paths = new Set(all.flatMap((lines) => Object.keys(lines)))
  const linesOf = (path: string): readonly number[] => [...new Set(all.flatMap((lines) => lines[path] ?? []))]
  return Object.fromEntries([...paths].map((path) => [path, linesOf(path)]))
}

function coverageIn(path: string): readonly ScriptCoverage[] {
  // Written by V8.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly result: readonly ScriptCoverage[] }).result
}
