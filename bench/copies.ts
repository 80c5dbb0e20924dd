// Backup and verification of a service with many activities, and what a backup does to signing beside it:
// npm run bench -- --copies [--activities 1000000] [--rounds 3] [--per-second 300] [--embedded | --postgres] [--limits]
// --embedded, --postgres: that store alone; --limits: ends with 1 where a figure is above what it is held to.
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresAvailable, startPostgres } from '../test/support/postgres.ts'
import { createKeys, load } from './keys-and-load.ts'
import { median } from './median.ts'
import { type BenchService, CLAVIGER, sendLoad, startBenchService } from './service.ts'

const { values } = parseArgs({
  options: {
    copies: { type: 'boolean' },
    activities: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    'per-second': { type: 'string', default: '300' },
    embedded: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    limits: { type: 'boolean', default: false },
  },
})
const ACTIVITIES = Number(values.activities)
const ROUNDS = Number(values.rounds)
const PER_SECOND = Number(values['per-second'])
const FILLED_AT_ONCE = 50_000

/** What is held to with `--limits`: seconds for a million activities, and how many times as long signing may take. */
const BACKUP_SECONDS_MAX = 60
const VERIFY_SECONDS_MAX = 300
const P99_RATIO_MAX = 1.2

if (!values.postgres) await measured('embedded store', {})
if (!values.embedded && postgresAvailable()) {
  const postgres = await startPostgres()
  await measured('PostgreSQL', { CLAVIGER_DATABASE_URL: `${postgres.address}/postgres` })
  await postgres.stop()
}

async function measured(title: string, environment: Record<string, string>): Promise<void> {
  let own: NodeJS.ProcessEnv = {}
  const service = await startBenchService(environment, (env) => {
    own = env
  })
  const command = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [CLAVIGER, ...args], { env: own, stdio: ['ignore', 'pipe', 'inherit'] })
  const file = join(own['CLAVIGER_DATA'] ?? '', 'copy')
  const backup = async (): Promise<number> => {
    rmSync(file, { force: true })
    return await secondsOf(command('backup', '--out', file, '--json'))
  }
  try {
    const keys = await createKeys(service, 64)
    await filled(service, keys)
    say(`\n${title}, ${ACTIVITIES} activities`)
    const alone = await backup()
    limited('backup, with nothing beside it', alone, BACKUP_SECONDS_MAX)
    say(`  the file has ${(statSync(file).size / 1e6).toFixed(1)} MB`)
    await besideSigning(service, { keys, backup, seconds: Math.max(1, alone) })
    limited('verify', await secondsOf(command('verify', '--json')), VERIFY_SECONDS_MAX)
    const ofCopy = await secondsOf(command('verify', '--backup', file, '--json'))
    limited('verify of the backup', ofCopy, VERIFY_SECONDS_MAX)
  } finally {
    await service.stop()
  }
}

async function filled(service: BenchService, keys: readonly string[]): Promise<void> {
  for (let left = ACTIVITIES; left > 0; left -= FILLED_AT_ONCE)
    await load(service, { connections: 64, requests: Math.min(left, FILLED_AT_ONCE), keys })
}

/**
 * As long as a backup takes, the same load alone, beside a thread that only computes, and beside a backup, in turn:
 * whatever else this machine does falls on all three. The thread gives way as a backup does, and shows what any use of
 * a spare core costs here.
 */
async function besideSigning(
  { port, root }: BenchService,
  {
    keys,
    backup,
    seconds,
  }: {
    readonly keys: readonly string[]
    readonly backup: () => Promise<number>
    readonly seconds: number
  },
): Promise<void> {
  const requests = Math.ceil(PER_SECOND * seconds)
  const p99Of = async (before: () => void): Promise<number> => {
    const order = { load: 'signatures', port, connections: 64, requests, perSecond: PER_SECOND } as const
    const report = await sendLoad({ ...order, as: root, signWith: keys }, { before })
    if (report.failed > 0) throw new Error(report.firstFailure)
    return report.p99Ms
  }
  const [quiet, computing, beside, taken]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await p99Of(() => undefined))
    let other: Promise<number> | undefined
    computing.push(
      await p99Of(() => {
        other = secondsOf(computes(seconds))
      }),
    )
    await other
    beside.push(
      await p99Of(() => {
        other = backup()
      }),
    )
    taken.push((await other) ?? Number.NaN)
  }
  const times = (figures: readonly number[]): number => median(figures) / median(quiet)
  limited(`backup, beside ${PER_SECOND} signatures a second`, median(taken), BACKUP_SECONDS_MAX)
  say(`  signing at ${PER_SECOND}/s, p99 of each round alone: ${shown(quiet)} ms`)
  say(`    beside a thread that only computes: ${shown(computing)} ms (x ${times(computing).toFixed(2)})`)
  say(`    beside a backup: ${shown(beside)} ms (x ${times(beside).toFixed(2)})`)
  if (values.limits && times(beside) > P99_RATIO_MAX) failed(`that is above x ${P99_RATIO_MAX}`)
}

function computes(seconds: number): ChildProcess {
  const script = `const { constants, setPriority } = require('node:os')
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
for (const end = performance.now() + ${seconds * 1_000}; performance.now() < end; );`
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Seconds until a command has ended well. */
async function secondsOf(child: ChildProcess): Promise<number> {
  const from = performance.now()
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`it ended with ${code}: ${output}`)
  return (performance.now() - from) / 1_000
}

/** @param most  seconds for a million activities */
function limited(what: string, seconds: number, most: number): void {
  say(`  ${what}: ${seconds.toFixed(1)} s, ${Math.round(ACTIVITIES / seconds)} activities a second`)
  const bound = most * (ACTIVITIES / 1e6)
  if (values.limits && seconds > bound) failed(`that is above ${bound} s`)
}

function failed(why: string): void {
  say(`  !! ${why}`)
  process.exitCode = 1
}

function shown(figures: readonly number[]): string {
  return figures.map((figure) => figure.toFixed(1)).join(', ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
