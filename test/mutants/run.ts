// Plants faults in the sources, one at a time, and sees whether a test notices:
//   npm run mutants -- --room policy|vault|store [--in decide] [--sample 250] [--seed 1] [--lanes 2]
// It first runs every test file of the room once and notes which lines each test executes; a fault is then tried with
// those that execute its line, in one process. What has been tried is kept in node_modules/.cache, so that a run goes
// on where the last ended.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { countGiven, refuse } from '../support/given.ts'
import { seeded } from '../support/seeded.ts'
import { digester, digestOf } from './digests.ts'
import { keepLine, keptLines } from './kept-lines.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { ROOMS } from './rooms.ts'
import { type Seen, seenBy } from './seen.ts'
import { type Kills, type Tried, tryMutant } from './try-mutant.ts'

/** Models, fixtures and suites that only tests import. */
const OF_TESTS = /\.test\.ts$|\/testing\//

/** With the state of the tests with which it was tried: what survived is tried again when one was added. */
type Result = Mutation & Tried & { readonly tests: string }
type SeenByFile = { readonly file: string; readonly digest: string; readonly seen: readonly Seen[] }

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: 'policy' },
    in: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '1' },
  },
})
const { room, sample, seed } = values
const patterns = ROOMS[room]
if (patterns === undefined) refuse(`there is no room ${room}: ${Object.keys(ROOMS).join(', ')}`)
const lanes = countGiven(values.lanes, '--lanes')
const many = sample === undefined ? Number.POSITIVE_INFINITY : countGiven(sample, '--sample')

const root = fileURLToPath(new URL('../../', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'claviger-mutants')
mkdirSync(cache, { recursive: true })
const sources = globSync(patterns.sources, { cwd: root })
  .filter((path) => !OF_TESTS.test(path))
  .toSorted()
const all = sources
  .filter((path) => path.includes(values.in))
  .flatMap((path) => mutationsOf(path, readFileSync(join(root, path), 'utf8')))
if (all.length === 0) refuse(`no source of the room ${room} has "${values.in}" in its path`)
const resultsPath = join(cache, `${room}.jsonl`)
const known = new Map(keptLines<Result>(resultsPath).map((item) => [nameOf(item), item]))
const files = globSync([...patterns.tests], { cwd: root }).toSorted()
const digestOfFile = digester(root, sources)
const tests = digestOf(files.map(digestOfFile))
const seen = await whatTestsSee()
const kills: Kills = new Map()

/** Those that are explained are not tried again. */
const explained = readFileSync(new URL('survivors.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')

const results = await inLanes(drawn(all, many))
const survivors = results.filter(({ outcome }) => outcome === 'survived')
const unexplained = survivors.filter((survivor) => !explained.includes(asExplained(survivor)))
for (const item of unexplained) console.log(`\n${item.path}:${item.line} ${asExplained(item)}\n  ${item.by}`)
console.log(
  `\n${room}: ${all.length} mutants, ${results.length} tried, ${results.length - survivors.length} killed, ` +
    `${survivors.length} survived, ${unexplained.length} of them unexplained`,
)
process.exitCode = unexplained.length === 0 ? 0 : 1

/** As it stands in survivors.md, before the reason. */
function asExplained({ path, before, after }: Mutation): string {
  return `\`${path}\`: \`${before.trim()}\` becomes \`${after.trim()}\``
}

async function inLanes(mutations: readonly Mutation[]): Promise<readonly Result[]> {
  const waiting = [...mutations.entries()]
  const done: Result[] = []
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      done.push(await resultOf(next[1], next[0]))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return done
}

async function resultOf(mutation: Mutation, at: number): Promise<Result> {
  if (explained.includes(asExplained(mutation)))
    return { ...mutation, outcome: 'survived', by: 'explained', tests }
  const before = known.get(nameOf(mutation))
  if (before !== undefined && (before.outcome !== 'survived' || before.tests === tests)) return before
  const result = { ...mutation, ...(await tryMutant(mutation, seen, kills)), tests }
  keepLine(resultsPath, result)
  console.log(
    `${at + 1} ${result.outcome} ${result.path}:${result.line} ${result.before.trim()} -> ${result.after.trim()}`,
  )
  return result
}

/** Noted once for a state of the sources, of the test file and of what it imports. */
async function whatTestsSee(): Promise<readonly Seen[]> {
  const path = join(cache, `${room}-seen.jsonl`)
  const noted = keptLines<SeenByFile>(path)
  const seenOf: Seen[] = []
  const kept: SeenByFile[] = []
  for (const file of files) {
    const digest = digestOfFile(file)
    const before = noted.find((other) => other.file === file && other.digest === digest)
    if (before === undefined) console.log(`${seenOf.length} tests noted; next those of ${file}`)
    const item = before ?? { file, digest, seen: await seenBy(file, sources) }
    if (before === undefined) keepLine(path, item)
    kept.push(item)
    seenOf.push(...item.seen)
  }
  writeFileSync(path, kept.map((item) => `${JSON.stringify(item)}\n`).join(''))
  return seenOf
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
