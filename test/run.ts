import { relative } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildServiceForAll } from './support/built-service.ts'
import { checkWith } from './support/check-with.ts'
import { compileCache } from './support/compile-cache.ts'
import { LOADING } from './support/loading.ts'
import { tally } from './support/tally.ts'
import { packagesIn, testFiles } from './support/test-files.ts'

/**
 * Everything that `npm test` runs: types, lint, format, and every test file; each file of `test/` in a process of its
 * own, those of a room of `src/` in one together, where starting and loading would take longer than most of their
 * tests, and so those of `test/package/`, which build and install the package once. Arguments keep only the files whose
 * path contains one of them, and leave the three checks out. The last line is `N passed, N failed`, with `, N skipped`
 * where something was.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const TEST_TIMEOUT_MS = 15 * 60 * 1000
const PROCESS_TIMEOUT_MS = 25 * 60 * 1000
// Three times the cores of CI: many files wait for processes, for the disk and for the times of the service.
const CONCURRENCY = 6
const SEED = new URL('./support/seed-properties.ts', import.meta.url).href
const UNTRACKED = new URL('./support/untracked-promises.ts', import.meta.url).href
const FILES = fileURLToPath(new URL('./support/files.ts', import.meta.url))
/** What takes a minute and more, the longest first, so that none of it is left when everything else is done. */
const LONGEST = [
  'test/tampering/every-column.test.ts',
  'test/crash/',
  'test/faults/',
  'test/package/',
  'test/kills/',
  'test/simulation/',
  'src/trusted/activities/',
  'src/host/store/',
  'test/commands/outages.test.ts',
  'test/commands/',
  'test/documentation/',
  'src/trusted/chains/',
]

type Piece = { readonly name: string; readonly work: () => Promise<void> }

process.env['NODE_COMPILE_CACHE'] ??= compileCache
await buildServiceForAll()
const wanted = process.argv.slice(2)
const counted = tally({ isCi: process.env['CI'] === 'true' })
const checks = [
  check('types', ['node_modules/typescript/bin/tsc', '-p', '.']),
  check('types of the console', ['node_modules/typescript/bin/tsc', '-p', 'console']),
  check('types of the frames', ['node_modules/typescript/bin/tsc', '-p', 'frames']),
  ...packagesIn(root).map(checkTypesOf),
  check('lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings']),
  check('format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.']),
]

await runAll([...longestFirst(tests(filesLike(wanted))), ...(wanted.length === 0 ? checks : [])])
for (const line of counted.summary()) console.log(line)
process.exitCode = counted.succeeded() ? 0 : 1

function check(name: string, command: readonly string[]): Piece {
  const work = async (): Promise<void> => {
    const problem = await checkWith(process.execPath, command, root)
    if (problem === undefined) counted.passed()
    else say(counted.failed(command.join(' '), name, problem))
  }
  return { name, work }
}

/** Types of a package whose dependencies are missing cannot be checked, and its tests are not among the files. */
function checkTypesOf({ path, isInstalled }: ReturnType<typeof packagesIn>[number]): Piece {
  if (isInstalled) return check(`types of ${path}`, ['node_modules/typescript/bin/tsc', '-p', path])
  const missing = `its packages are missing: npm ci --ignore-scripts --prefix ${path}`
  return { name: path, work: async () => say(counted.skipped(path, 'its tests and types', missing)) }
}

function filesLike(parts: readonly string[]): readonly string[] {
  return testFiles(root).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
}

function tests(files: readonly string[]): readonly Piece[] {
  const together = Object.groupBy(
    files,
    (file) => /^(?:src\/\w+\/[\w-]+|test\/package)\//.exec(file)?.[0] ?? file,
  )
  return Object.entries(together).map(([name, of = []]) => ({ name, work: () => runFiles(name, of) }))
}

function longestFirst(pieces: readonly Piece[]): readonly Piece[] {
  const rank = ({ name }: Piece): number => {
    const at = LONGEST.findIndex((start) => name.startsWith(start))
    return at < 0 ? LONGEST.length : at
  }
  return pieces.toSorted((a, b) => rank(a) - rank(b))
}

/** A few at a time, each with a deadline: what keeps its process alive is a failure and not the end of the run. */
async function runAll(pieces: readonly Piece[]): Promise<void> {
  const waiting = [...pieces]
  const worker = async (): Promise<void> => {
    for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
      const startedAt = performance.now()
      await piece.work()
      say(`${piece.name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

async function runFiles(name: string, files: readonly string[]): Promise<void> {
  const events = run({
    files: [FILES],
    argv: files.map((file) => root + file),
    isolation: 'process',
    execArgv: ['--import', UNTRACKED, '--import', SEED],
    timeout: TEST_TIMEOUT_MS,
    signal: AbortSignal.timeout(PROCESS_TIMEOUT_MS),
  })
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.name === LOADING) continue
    if (type === 'test:pass' && data.details.type !== 'suite') {
      if (data.skip === undefined || data.skip === false) counted.passed()
      else say(counted.skipped(fileOf(data) ?? name, data.name, data.skip === true ? '' : data.skip))
    } else if (type === 'test:fail') say(counted.failed(fileOf(data) ?? name, data.name, data.details.error))
    else if (type === 'test:stderr') process.stderr.write(data.message)
    // An error that no test awaited: the runner of Node fails the file, and says the error here alone.
    else if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) say(`${name}: ${data.message}`)
  }
}

function fileOf({ file }: { readonly file?: string }): string | undefined {
  return file === undefined || file === FILES ? undefined : relative(root, file)
}

function say(line: string | undefined): void {
  if (line !== undefined && line !== '') console.log(line)
}
