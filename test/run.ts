import { globSync } from 'node:fs'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkWith } from './support/check-with.ts'
import { compileCache } from './support/compile-cache.ts'
import { type Tally, tally } from './support/tally.ts'

/**
 * Everything that `npm test` runs: types and lint first, then every test file in a process of its own. Arguments keep
 * only the files whose path contains one of them, and leave the two checks out. The last line is
 * `N passed, N failed`, with `, N skipped` where something was.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const TEST_TIMEOUT_MS = 15 * 60 * 1000
const FILE_TIMEOUT_MS = 25 * 60 * 1000
// One more than the cores of CI: many files wait for processes and for the disk.
const CONCURRENCY = 3
const SEED = new URL('./support/seed-properties.ts', import.meta.url).href

process.env['NODE_COMPILE_CACHE'] ??= compileCache
const wanted = process.argv.slice(2)
const counted = tally({ isCi: process.env['CI'] === 'true' })

if (wanted.length === 0) {
  await check(counted, 'types', ['node_modules/typescript/bin/tsc', '-p', '.'])
  await check(counted, 'lint', ['node_modules/oxlint/bin/oxlint'])
  await check(counted, 'format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.'])
}
await runFiles(counted, filesLike(wanted))
for (const line of counted.summary()) console.log(line)
process.exitCode = counted.succeeded() ? 0 : 1

async function check(to: Tally, name: string, command: readonly string[]): Promise<void> {
  const problem = await checkWith(process.execPath, command, root)
  if (problem === undefined) to.passed()
  else say(to.failed(command.join(' '), name, problem))
}

function filesLike(parts: readonly string[]): readonly string[] {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).toSorted()
  return files.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
}

/** A few files at a time, each with a deadline: what keeps its process alive is a failure and not the end of the run. */
async function runFiles(to: Tally, files: readonly string[]): Promise<void> {
  const waiting = [...files]
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await runFile(to, file)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

async function runFile(to: Tally, file: string): Promise<void> {
  const startedAt = performance.now()
  const events = run({
    files: [`${root}${file}`],
    isolation: 'process',
    execArgv: ['--import', SEED],
    timeout: TEST_TIMEOUT_MS,
    signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
  })
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.details.type !== 'suite') {
      if (data.skip === undefined || data.skip === false) to.passed()
      else say(to.skipped(file, data.name, data.skip === true ? '' : data.skip))
    } else if (type === 'test:fail') say(to.failed(file, data.name, data.details.error))
    else if (type === 'test:stderr') process.stderr.write(data.message)
  }
  say(`${file} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
}

function say(line: string | undefined): void {
  if (line !== undefined && line !== '') console.log(line)
}
