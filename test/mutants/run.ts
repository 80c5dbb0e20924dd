// Plants faults in the sources, one at a time, and sees whether a test notices:
//   npm run mutants -- [--room policy|vault|store] [--sample 100] [--seed 1]
// What has been tried is kept in node_modules/.cache, so that a run goes on where the last one ended.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileCache } from '../support/compile-cache.ts'
import { seeded } from '../support/seeded.ts'
import { type Mutation, mutationsOf } from './mutations.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const DEADLINE_MS = 5 * 60 * 1000
/** What else sees a room: tests of the whole service, the quickest first. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  policy: ['test/policy-table/policy-table.test.ts'],
  vault: [
    'test/behaviour/decisions.test.ts',
    'test/behaviour/refusals.test.ts',
    'test/tampering/forgery.test.ts',
  ],
  store: ['test/behaviour/same-bytes.test.ts', 'test/simulation/simulation.test.ts'],
}
type Outcome = 'killed' | 'hung' | 'survived'
type Result = Mutation & { readonly outcome: Outcome; readonly by?: string }

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: 'policy' },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const { room, sample, seed } = values
const others = ROOMS[room]
if (others === undefined) throw new Error(`there is no room ${room}: ${Object.keys(ROOMS).join(', ')}`)

const resultsPath = join(root, 'node_modules', '.cache', `mutants-${room}.jsonl`)
mkdirSync(dirname(resultsPath), { recursive: true })
const all = sourcesOf(room).flatMap((path) => mutationsOf(path, readFileSync(join(root, path), 'utf8')))
const known = new Map(earlier().map((one) => [nameOf(one), one]))
const wanted = drawn(all, Number(sample))
const folder = mkdtempSync(join(tmpdir(), 'claviger-mutants-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGINT', () => process.exit(1))
for (const part of [
  'src',
  'test',
  'bin',
  'bench',
  'docs',
  'examples',
  'package.json',
  'tsconfig.json',
  'openapi.json',
] as const)
  cpSync(join(root, part), join(folder, part), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const results = wanted.map((mutation) => known.get(nameOf(mutation)) ?? tried(mutation))
const explained = readFileSync(new URL('survivors.md', import.meta.url), 'utf8')
const survivors = results.filter(({ outcome }) => outcome === 'survived')
const unexplained = survivors.filter((one) => !explained.includes(`\`${one.after.trim()}\``))
for (const { path, line, before, after } of unexplained)
  console.log(`\nSURVIVED ${path}:${line}\n  ${before.trim()}\n  ${after.trim()}`)
console.log(
  `\n${room}: ${all.length} mutants, ${results.length} tried, ${results.length - survivors.length} killed, ` +
    `${survivors.length} survived, ${unexplained.length} of them unexplained`,
)
process.exitCode = unexplained.length === 0 ? 0 : 1

function sourcesOf(of: string): readonly string[] {
  return globSync(`src/${of}/**/*.ts`, { cwd: root })
    .filter((path) => !/\.test\.ts$|-for-tests\.ts$|\/testing\//.test(path))
    .toSorted()
}

function tried(mutation: Mutation): Result {
  const { path, line, before, after } = mutation
  const original = readFileSync(join(root, path), 'utf8')
  const lines = original.split('\n')
  lines[line - 1] = after
  writeFileSync(join(folder, path), lines.join('\n'))
  const result: Result = { ...mutation, ...firstRed(testsOf(path)) }
  writeFileSync(join(folder, path), original)
  appendFileSync(resultsPath, `${JSON.stringify(result)}\n`)
  console.log(`${result.outcome} ${path}:${line} ${before.trim()} -> ${after.trim()}`)
  return result
}

function firstRed(tests: readonly string[]): { readonly outcome: Outcome; readonly by?: string } {
  for (const by of tests) {
    const { status, error } = spawnSync(
      process.execPath,
      ['--import', './test/support/seed-properties.ts', by],
      { cwd: folder, timeout: DEADLINE_MS, env: { ...process.env, NODE_COMPILE_CACHE: compileCache } },
    )
    if (error !== undefined) return { outcome: 'hung', by }
    if (status !== 0) return { outcome: 'killed', by }
  }
  return { outcome: 'survived' }
}

/** The test beside the file, those of its room that name it, the others of its room, and then the whole service. */
function testsOf(path: string): readonly string[] {
  const name = path.replace(/^.*\//, '')
  const beside = path.replace(/\.ts$/, '.test.ts')
  const rank = (test: string): number => {
    if (test === beside) return 0
    return readFileSync(join(root, test), 'utf8').includes(`/${name}'`) ? 1 : 2
  }
  const ofRoom = globSync(`src/${room}/**/*.test.ts`, { cwd: root }).toSorted()
  return [...ofRoom.toSorted((a, b) => rank(a) - rank(b)), ...(others ?? [])]
}

function earlier(): readonly Result[] {
  if (!existsSync(resultsPath)) return []
  // Lines that this script has written.
  return readFileSync(resultsPath, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Result)
}

function drawn(from: readonly Mutation[], many: number): readonly Mutation[] {
  const random = seeded(`mutants ${seed}`)
  const left = [...from]
  return Array.from({ length: Math.min(many, left.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
}

function nameOf({ path, before, after, line }: Mutation): string {
  return JSON.stringify([path, line, before, after])
}
