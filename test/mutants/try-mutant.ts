import { labelOf } from './label-of.ts'
import type { Mutation } from './mutations.ts'
import { runTests } from './run-tests.ts'
import type { Seen } from './seen.ts'

export type Tried = {
  readonly outcome: 'killed' | 'hung' | 'survived'
  /** The test that was red; or how many were green. */
  readonly by: string
}

const plant = new URL('plant.ts', import.meta.url).href
/** How many mutants of a source each test has killed: the next one of the same file is likely to meet the same. */
export type Kills = Map<string, number>

/**
 * Runs every test that executes the line, until one is red: first those that killed others of the same file, then the
 * quickest.
 */
export async function tryMutant(mutation: Mutation, seen: readonly Seen[], kills: Kills): Promise<Tried> {
  const { path, line } = mutation
  const worth = (test: Seen): number => (1 + (kills.get(`${path} ${labelOf(test)}`) ?? 0)) / (test.ms + 1)
  const tests = seen
    .filter(({ linesByPath }) => linesByPath[path]?.includes(line))
    .toSorted((a, b) => worth(b) - worth(a))
  if (tests.length === 0) return { outcome: 'survived', by: 'no test executes it' }
  const msByLabel = new Map(tests.map((test) => [labelOf(test), test.ms]))
  const outcome = await runTests(
    { tests: tests.map(({ file, name }) => ({ file, name })) },
    {
      env: { MUTANT: JSON.stringify(mutation), NODE_OPTIONS: `--import=${plant}` },
      deadlineMsOf: (label = '') => 30_000 + 10 * (msByLabel.get(label) ?? 0),
    },
  )
  if (outcome.kind === 'green') return { outcome: 'survived', by: `${tests.length} tests are green` }
  count(kills, `${path} ${outcome.by}`)
  return { outcome: outcome.kind === 'red' ? 'killed' : 'hung', by: outcome.by }
}

function count(kills: Kills, key: string): void {
  kills.set(key, (kills.get(key) ?? 0) + 1)
}
