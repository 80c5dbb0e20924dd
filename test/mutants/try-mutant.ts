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
 * quickest. A test that is red in this order alone, or also without the fault, has not noticed it: the others go on.
 */
export async function tryMutant(mutation: Mutation, seen: readonly Seen[], kills: Kills): Promise<Tried> {
  const { path, line } = mutation
  const worth = (test: Seen): number => (1 + (kills.get(`${path} ${labelOf(test)}`) ?? 0)) / (test.ms + 1)
  const tests = seen
    .filter(({ linesByPath }) => linesByPath[path]?.includes(line))
    .toSorted((a, b) => worth(b) - worth(a))
  if (tests.length === 0) return { outcome: 'survived', by: 'no test executes it' }
  const env = { MUTANT: JSON.stringify(mutation), NODE_OPTIONS: `--import=${plant}` }
  for (let left: readonly Seen[] = tests; ; ) {
    const outcome = await ran(left, env)
    if (outcome.kind === 'green') return { outcome: 'survived', by: `${left.length} tests are green` }
    const { kind, by } = outcome
    const killer = left.find((test) => labelOf(test) === by)
    const isNoticed =
      kind === 'hung' ||
      killer === undefined ||
      ((await isGreenAlone(killer)) && (await isRed(killer, left, env)))
    if (isNoticed) {
      count(kills, `${path} ${by}`)
      return { outcome: kind === 'red' ? 'killed' : 'hung', by }
    }
    left = left.filter((test) => test !== killer)
    if (left.length === 0) return { outcome: 'survived', by: `${by} is red only after other tests` }
  }
}

/** The first of the tests has run before all others. */
async function isRed(test: Seen, among: readonly Seen[], env: Environment): Promise<boolean> {
  return among[0] === test || (await ran([test], env)).kind !== 'green'
}

const greenAlone = new Map<string, Promise<boolean>>()

/** Whether the test is green without a fault, and without the tests before it in its file; tried once. */
async function isGreenAlone(test: Seen): Promise<boolean> {
  const label = labelOf(test)
  const known = greenAlone.get(label) ?? ran([test], {}).then(({ kind }) => kind === 'green')
  greenAlone.set(label, known)
  return await known
}

type Environment = Readonly<Record<string, string>>

function ran(tests: readonly Seen[], env: Environment): ReturnType<typeof runTests> {
  const msByLabel = new Map(tests.map((test) => [labelOf(test), test.ms]))
  return runTests(
    { tests: tests.map(({ file, name }) => ({ file, name })) },
    { env, deadlineMsOf: (label = '') => 30_000 + 10 * (msByLabel.get(label) ?? 0) },
  )
}

function count(kills: Kills, key: string): void {
  kills.set(key, (kills.get(key) ?? 0) + 1)
}
