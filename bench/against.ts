// Raw signatures of this checkout and of an earlier one, in turn in one run: what a shared machine does to one it does to both.
// npm run bench -- --against <commit> [--rounds 10] [--embedded]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { postgresAvailable, startPostgres } from '../test/support/postgres.ts'
import { createKeys, load } from './keys-and-load.ts'
import { median } from './median.ts'
import { residentMegabytes } from './processes.ts'
import { type BenchService, CLAVIGER, startBenchService } from './service.ts'

const CONNECTIONS = 64
const REQUESTS = 5_000

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '10' },
    embedded: { type: 'boolean', default: false },
  },
})
const { against: commit = 'HEAD' } = values
const root = fileURLToPath(new URL('..', import.meta.url))
const checkout = join(mkdtempSync(join(tmpdir(), 'claviger-against-')), 'checkout')
execFileSync('git', ['worktree', 'add', '--detach', checkout, commit], { cwd: root, stdio: 'ignore' })
try {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'ignore' })
  await compare('embedded store', async () => ({ environment: {}, stop: async () => {} }))
  if (postgresAvailable() && !values.embedded)
    await compare('PostgreSQL', async () => {
      const { address, stop } = await startPostgres()
      return { environment: { CLAVIGER_DATABASE_URL: `${address}/postgres` }, stop }
    })
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root })
  rmSync(join(checkout, '..'), { recursive: true, force: true })
}

type Backing = { readonly environment: Record<string, string>; readonly stop: () => Promise<void> }
type Round = Awaited<ReturnType<typeof load>>
type Side = {
  readonly name: string
  readonly service: BenchService
  readonly backing: Backing
  readonly keys: readonly string[]
  readonly rounds: Round[]
}

async function compare(title: string, back: () => Promise<Backing>): Promise<void> {
  const theirs = await started(commit, join(checkout, 'bin', 'claviger.js'), await back())
  const ours = await started('this one', CLAVIGER, await back())
  try {
    for (let round = 0; round < Number(values.rounds); round++)
      for (const side of round % 2 === 0 ? [theirs, ours] : [ours, theirs])
        side.rounds.push(await signatures(side.service, side.keys))
    say(`\n${title}, ${CONNECTIONS} connections, rounds of ${REQUESTS} in turn`)
    for (const side of [theirs, ours]) say(report(side))
    const ratios = ours.rounds.map(({ cpuUs }, at) => cpuUs / (theirs.rounds[at]?.cpuUs ?? 0))
    say(`CPU of this one / ${commit}, round by round: median x ${median(ratios).toFixed(3)}`)
  } finally {
    for (const { service, backing } of [theirs, ours]) {
      await service.stop()
      await backing.stop()
    }
  }
}

async function started(name: string, program: string, backing: Backing): Promise<Side> {
  const service = await startBenchService(backing.environment, () => {}, program)
  const keys = await createKeys(service, 64)
  for (let warming = 0; warming < 2; warming++) await signatures(service, keys)
  return { name, service, backing, keys, rounds: [] }
}

async function signatures(service: BenchService, keys: readonly string[]): Promise<Round> {
  return await load(service, { connections: CONNECTIONS, requests: REQUESTS, keys })
}

function report({ name, service, rounds }: Side): string {
  const cpu = rounds.map(({ cpuUs }) => cpuUs)
  const spread = `${Math.min(...cpu).toFixed(0)} to ${Math.max(...cpu).toFixed(0)}`
  const perSecond = median(rounds.map(({ succeeded, seconds }) => succeeded / seconds))
  const p99 = median(rounds.map(({ p99Ms }) => p99Ms))
  return (
    `${name.padEnd(12)} ${median(cpu).toFixed(0)} us CPU each (${spread}), ${perSecond.toFixed(0)}/s, ` +
    `p99 ${p99.toFixed(1)} ms, ${residentMegabytes(service.pid).toFixed(0)} MB`
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
