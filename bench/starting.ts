import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from '../release/pack.ts'
import { CLAVIGER, startBenchService } from './service.ts'

/**
 * From start to ready, warm: `claviger dev` and `claviger emulate`, of this clone and of the package made of it, in
 * turn.
 */
const ROUNDS = 9
const folder = mkdtempSync(join(tmpdir(), 'claviger-starting-'))

try {
  const programs = { clone: CLAVIGER, package: installed(folder) }
  const taken: Record<string, number[]> = {}
  for (let round = 0; round <= ROUNDS; round++)
    for (const [where, program] of Object.entries(programs))
      for (const [command, start] of Object.entries({ dev, emulate })) {
        const ms = await start(program)
        // The first round fills what the system keeps of the files.
        if (round > 0) (taken[`${command} of the ${where}`] ??= []).push(ms)
      }
  for (const [name, all] of Object.entries(taken)) {
    const sorted = all.toSorted((a, b) => a - b).map(Math.round)
    console.log(`${name}: median ${sorted[(ROUNDS - 1) / 2]} ms, ${sorted[0]} to ${sorted.at(-1)}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}

async function dev(program: string): Promise<number> {
  const startedAt = performance.now()
  const service = await startBenchService({}, () => {}, program)
  const ms = performance.now() - startedAt
  await service.stop()
  return ms
}

async function emulate(program: string): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, 'emulate', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const ms = performance.now() - startedAt
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  return ms
}

/** The command of the package, installed in this folder. */
function installed(where: string): string {
  const tarball = pack(new URL('../', import.meta.url), join(where, 'out'))
  writeFileSync(join(where, 'package.json'), '{ "private": true }')
  const { status } = spawnSync('npm', ['install', '--silent', '--prefer-offline', tarball], {
    cwd: where,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`npm install ended with ${status}`)
  return join(where, 'node_modules', 'claviger', 'bin', 'claviger.js')
}
