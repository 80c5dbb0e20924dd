// Loads of this checkout beside an earlier one, or beside other programs, in turn in one run, with raw crypto in every
// round: what a shared machine does to one it does to all.
// npm run bench -- --against <commit> [--rounds 8] [--embedded] [--only 'secp256k1, 64'] [--ratio-max 1.15]
// npm run bench -- --with CLAVIGER_AUDIT=/tmp/audit.log [--rounds 8] [--embedded] [--only 'secp256k1, 64']
// npm run bench -- --beside express=<folder with node_modules> --beside openbao=<program> [--rounds 8]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { postgresAvailable, startPostgres } from '../test/support/postgres.ts'
import { type Ground, groundOf, type Measure, MEASURES, take, type Taken } from './measures.ts'
import { median } from './median.ts'
import { peers } from './peers/peers.ts'
import { cpuSeconds, residentMegabytes } from './processes.ts'
import { rawCryptoMicroseconds } from './raw-limits.ts'
import { CLAVIGER, startBenchService } from './service.ts'
import type { Side } from './side.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    beside: { type: 'string', multiple: true, default: [] },
    with: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '8' },
    embedded: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'ratio-max': { type: 'string' },
  },
})
const OURS = 'this one'
const ROUNDS = Number(values.rounds)
const RATIO_MAX = Number(values['ratio-max'] ?? Number.POSITIVE_INFINITY)
const measures = MEASURES.filter(({ name }) => name.includes(values.only))
const root = fileURLToPath(new URL('..', import.meta.url))

type Rounds = Map<Measure, Taken[]>

const checkout = values.against === undefined ? undefined : checkedOut(values.against)
try {
  const settings = Object.fromEntries(
    values.with.map((text) => [nameIn(text), text.slice(nameIn(text).length + 1)]),
  )
  const programs: readonly Program[] = [
    ...(checkout === undefined
      ? []
      : [{ name: values.against ?? '', program: join(checkout, 'bin', 'claviger.js'), settings: {} }]),
    ...(values.with.length === 0 ? [] : [{ name: 'without', program: CLAVIGER, settings: {} }]),
    { name: OURS, program: CLAVIGER, settings },
  ]
  await compare('embedded store', [
    ...(await Promise.all(programs.map((program) => claviger(program)))),
    ...(await peers(values.beside)),
  ])
  if (programs.length > 1 && postgresAvailable() && !values.embedded)
    await compare(
      'PostgreSQL',
      await Promise.all(programs.map((program) => claviger(program, startPostgres))),
    )
} finally {
  if (checkout !== undefined) {
    execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root })
    rmSync(join(checkout, '..'), { recursive: true, force: true })
  }
}

function checkedOut(commit: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'claviger-against-')), 'checkout')
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: root, stdio: 'ignore' })
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
  return folder
}

/** Of `NAME=VALUE`. */
function nameIn(setting: string): string {
  return setting.slice(0, setting.indexOf('='))
}

type Program = {
  readonly name: string
  readonly program: string
  readonly settings: Readonly<Record<string, string>>
}

async function claviger(
  { name, program, settings }: Program,
  database?: () => Promise<{ readonly address: string; readonly pid: number; stop(): Promise<void> }>,
): Promise<Side> {
  const server = await database?.()
  const environment: Record<string, string> = {
    ...settings,
    ...(server === undefined ? {} : { CLAVIGER_DATABASE_URL: `${server.address}/postgres` }),
  }
  const service = await startBenchService(environment, () => {}, program)
  const ground: Ground = await groundOf(service)
  return {
    name,
    take: async (measure) => {
      if (server === undefined) return await take(measure, ground)
      const before = cpuSeconds(server.pid)
      const taken = await take(measure, ground)
      return { ...taken, databaseUs: ((cpuSeconds(server.pid) - before) / measure.requests) * 1e6 }
    },
    megabytes: () => residentMegabytes(service.pid),
    stop: async () => {
      await service.stop()
      await server?.stop()
    },
  }
}

/** The first round of each warms up and does not count. */
async function compare(title: string, sides: readonly Side[]): Promise<void> {
  const raw: number[] = []
  const rounds = new Map(sides.map((side): [Side, Rounds] => [side, new Map()]))
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const { verify, sign } = rawCryptoMicroseconds({ calls: 1_000, slices: 3 })
      if (round > 0) raw.push(verify + sign)
      for (const measure of measures)
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          const taken = await side.take(measure)
          const before = rounds.get(side)?.get(measure) ?? []
          if (taken !== undefined && round > 0) rounds.get(side)?.set(measure, [...before, taken])
        }
    }
    say(
      `\n${title}: medians of ${ROUNDS} rounds in turn (least to most); raw crypto ${median(raw).toFixed(0)} us`,
    )
    for (const measure of measures) report(measure, rounds, raw)
    for (const side of sides) say(`memory of ${side.name}: ${side.megabytes().toFixed(0)} MB`)
  } finally {
    for (const side of sides) await side.stop()
  }
}

function report(measure: Measure, rounds: ReadonlyMap<Side, Rounds>, raw: readonly number[]): void {
  const taken = [...rounds].flatMap(([{ name }, of]) => {
    const mine = of.get(measure)
    return mine === undefined ? [] : [{ name, mine }]
  })
  say(`\n${measure.name}`)
  for (const { name, mine } of taken) say(line(name, mine, raw))
  const own = taken.find(({ name }) => name === OURS)
  for (const { name, mine } of taken) {
    if (own === undefined || name === OURS) continue
    const ratio = median(own.mine.map(({ cpuUs }, at) => cpuUs / (mine[at]?.cpuUs ?? Number.NaN)))
    say(`  CPU of ${OURS} / ${name}, round by round: median x ${ratio.toFixed(3)}`)
    if (ratio <= RATIO_MAX) continue
    say(`  that is above ${RATIO_MAX}`)
    process.exitCode = 1
  }
}

function line(name: string, taken: readonly Taken[], raw: readonly number[]): string {
  const multiples = taken.map(({ cpuUs }, at) => cpuUs / (raw[at] ?? Number.NaN))
  const database = taken.flatMap(({ databaseUs }) => (databaseUs === undefined ? [] : [databaseUs]))
  return [
    `  ${name.padEnd(12)}`,
    `x raw ${median(multiples).toFixed(2)} (${Math.min(...multiples).toFixed(2)} to ${Math.max(...multiples).toFixed(2)})`,
    `${median(taken.map(({ cpuUs }) => cpuUs)).toFixed(0)} us`,
    ...(database.length === 0 ? [] : [`database ${median(database).toFixed(0)} us`]),
    `${median(taken.map(({ perSecond }) => perSecond)).toFixed(0)}/s`,
    `p50 ${median(taken.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms`,
    `p99 ${median(taken.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`,
  ].join('  ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
