// Plants faults in the sources, one at a time, and sees whether a test notices:
//   npm run mutants -- --room policy|vault|store [--sample 250] [--seed 1]
// It first runs every test file of the room once and notes which lines each executes; a fault is then tried with those
// that execute its line. What has been tried is kept in node_modules/.cache, so that a run goes on where the last ended.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seeded } from '../support/seeded.ts'
import { notOurs } from '../support/test-files.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { runTest } from './run-test.ts'
import { type Seen, seenBy } from './seen.ts'

/** The tests that see each room: those in it, and some of the whole service. */
const TESTS_BY_ROOM: Readonly<Record<string, readonly string[]>> = {
  policy: [
    'src/trusted/policy/**/*.test.ts',
    'src/trusted/activities/lint-policies.test.ts',
    'src/trusted/vault/{compiled-charter,compiled-controls,could-allow,limit-reached,usage}.test.ts',
    'src/host/cli/policies/*.test.ts',
    'src/host/queries/rehearsals/*.test.ts',
    'test/policy-table/policy-table.test.ts',
  ],
  vault: [
    'src/trusted/{vault,charter,objects}/**/*.test.ts',
    'src/protocol/*.test.ts',
    'src/host/{pipeline,link}/**/*.test.ts',
    'src/trusted/activities/{consensus,credentials,mfa,oauth,policies,secrets,sessions,users}/*.test.ts',
    'src/host/queries/rehearsals/*.test.ts',
    'test/behaviour/{decisions,same-bytes,wiping}.test.ts',
    'test/tampering/{decided,forgery,hostile-host,lying-host,meters,putting-back}.test.ts',
  ],
  store: [
    'src/host/{store,pipeline,link}/**/*.test.ts',
    'src/host/delivery/{runner,webhooks}.test.ts',
    'src/host/queries/activities/*.test.ts',
  ],
}
/** Models, fixtures and suites that only tests import. */
const OF_TESTS = /\.test\.ts$|\/testing\//

type Result = Mutation & {
  readonly outcome: 'killed' | 'hung' | 'survived'
  readonly by?: string
  /** The state of the tree in which it was tried: what survived is tried again when a test was added. */
  readonly tree: string
}

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: 'policy' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const { room, sample, seed } = values
const testPatterns = TESTS_BY_ROOM[room]
if (testPatterns === undefined)
  throw new Error(`there is no room ${room}: ${Object.keys(TESTS_BY_ROOM).join(', ')}`)

const root = fileURLToPath(new URL('../../', import.meta.url))
const plant = new URL('plant.ts', import.meta.url).href
const cache = join(root, 'node_modules', '.cache', 'claviger-mutants')
mkdirSync(cache, { recursive: true })
const tree = digestOfTree()
const sources = globSync(`src/{trusted,host}/${room}/**/*.ts`, { cwd: root })
  .filter((path) => !OF_TESTS.test(path))
  .toSorted()
const all = sources.flatMap((path) => mutationsOf(path, readFileSync(join(root, path), 'utf8')))
const resultsPath = join(cache, `${room}.jsonl`)
const known = new Map(earlier<Result>(resultsPath).map((item) => [nameOf(item), item]))
const seen = whatTestsSee(globSync([...testPatterns], { cwd: root }).toSorted())
/** How many mutants of a source each test has killed: the next one of the same file is likely to meet the same. */
const kills = new Map<string, number>()

/** Those that are explained are not tried again. */
const explained = readFileSync(new URL('survivors.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')

const results = drawn(all, sample === undefined ? all.length : Number(sample)).map(resultOf)
const survivors = results.filter(({ outcome }) => outcome === 'survived')
const unexplained = survivors.filter((survivor) => !explained.includes(asExplained(survivor)))
for (const item of unexplained) console.log(`\n${asExplained(item)}\n  ${item.by ?? 'no test executes it'}`)
console.log(
  `\n${room}: ${all.length} mutants, ${results.length} tried, ${results.length - survivors.length} killed, ` +
    `${survivors.length} survived, ${unexplained.length} of them unexplained`,
)
process.exitCode = unexplained.length === 0 ? 0 : 1

/** As it stands in survivors.md, before the reason. */
function asExplained({ path, before, after }: Mutation): string {
  return `\`${path}\`: \`${before.trim()}\` becomes \`${after.trim()}\``
}

function resultOf(mutation: Mutation, at: number): Result {
  if (explained.includes(asExplained(mutation))) return { ...mutation, outcome: 'survived', tree }
  const before = known.get(nameOf(mutation))
  const isSettled = before !== undefined && (before.outcome !== 'survived' || before.tree === tree)
  const result = isSettled ? before : tried(mutation)
  if (result.outcome === 'killed') count(result)
  if (isSettled) return result
  appendFileSync(resultsPath, `${JSON.stringify(result)}\n`)
  console.log(
    `${at + 1} ${result.outcome} ${result.path}:${result.line} ${result.before.trim()} -> ${result.after.trim()}`,
  )
  return result
}

function count({ path, by }: Result): void {
  kills.set(`${path} ${by}`, (kills.get(`${path} ${by}`) ?? 0) + 1)
}

/** Every test that executes the line, until one is red: first those that killed others of the same file, then the quickest. */
function tried(mutation: Mutation): Result {
  const { path, line } = mutation
  const killsOf = (test: string): number => kills.get(`${path} ${test}`) ?? 0
  const tests = seen
    .filter(({ linesByPath }) => linesByPath[path]?.includes(line))
    .toSorted((a, b) => killsOf(b.test) / b.ms - killsOf(a.test) / a.ms || a.ms - b.ms)
  const env = { MUTANT: JSON.stringify(mutation), NODE_OPTIONS: `--import=${plant}` }
  for (const { test, ms } of tests) {
    const { outcome } = runTest(test, { env, deadlineMs: 20_000 + 5 * ms })
    if (outcome !== 'green')
      return { ...mutation, outcome: outcome === 'red' ? 'killed' : 'hung', by: test, tree }
  }
  const by = tests.length === 0 ? {} : { by: `${tests.length} test files are green` }
  return { ...mutation, outcome: 'survived', ...by, tree }
}

/** Noted once for a state of the tree. */
function whatTestsSee(tests: readonly string[]): readonly Seen[] {
  const path = join(cache, `${room}-seen.jsonl`)
  const noted = earlier<Seen & { readonly tree: string }>(path).filter((item) => item.tree === tree)
  writeFileSync(path, noted.map((item) => `${JSON.stringify(item)}\n`).join(''))
  return tests.map((test) => {
    const before = noted.find((item) => item.test === test)
    if (before !== undefined) return before
    const item = seenBy(test, sources)
    appendFileSync(path, `${JSON.stringify({ ...item, tree })}\n`)
    console.log(`${test} (${(item.ms / 1000).toFixed(1)} s)`)
    return item
  })
}

function digestOfTree(): string {
  const hash = createHash('sha256')
  const exclude = [...notOurs, 'test/mutants/**']
  for (const path of globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root, exclude }).toSorted())
    hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

/** What this script has written, a line at a time. */
function earlier<T>(path: string): readonly T[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((text) => JSON.parse(text) as T)
}

/** In an order that follows from the seed: a run that is ended early has tried a fair sample. */
function drawn(from: readonly Mutation[], many: number): readonly Mutation[] {
  const random = seeded(`mutants ${seed}`)
  const left = [...from]
  return Array.from({ length: Math.min(many, left.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
}

function nameOf({ path, line, before, after }: Mutation): string {
  return JSON.stringify([path, line, before, after])
}
