import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../../src/trusted/base/assert.ts'
import { builtCommand } from './built-service.ts'
import { eventually } from './eventually.ts'

/** The real service in processes of its own: what `bin/claviger.js` starts, on a loopback port that was free. */
export type RunningService = {
  readonly url: string
  readonly dataFolder: string
  /** Of the launcher, which leads a group that holds the host and the vault too. */
  readonly pid: number
  /** Of the host, as it says itself when it listens. */
  readonly hostPid: number
  readonly vaultPid: number
  /** All that the processes have written so far, to both streams. */
  readonly output: () => string
  /** The exit code, once they have ended. */
  readonly ended: Promise<number | null>
  /** Asks it to stop and waits until it has; the exit code. */
  readonly stop: () => Promise<number | null>
  /** Ends all its processes at once. */
  readonly kill: () => Promise<void>
}

/** Settings beyond the environment of the test, of which nothing named CLAVIGER_ is passed on. */
export type Settings = { readonly [name: string]: string }

export type DevEnv = {
  readonly BASE_URL: string
  readonly ORGANIZATION_ID: string
  readonly ROOT_USER_ID: string
  readonly API_PUBLIC_KEY: string
  readonly API_PRIVATE_KEY: string
  readonly SIGNER_PUBLIC_KEY: string
}

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url))
// For what hangs: a busy machine may take long.
const ENDED_WITHIN_MS = 180_000

// Processes before folders: what was added last goes first.
const atExit = new Set<() => void>()
process.on('exit', () => {
  for (const end of [...atExit].reverse()) end()
})
// A run that is stopped by a signal would otherwise leave its services behind.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** A folder of its own, removed when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-test-'))
  atExit.add(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts `claviger dev` or `claviger serve` and waits until it says that it is ready. */
export async function runService(
  command: 'dev' | 'serve',
  { dataFolder = join(temporaryFolder(), 'data'), ...settings }: Settings & { dataFolder?: string } = {},
  more: readonly string[] = [],
): Promise<RunningService> {
  const started = start([await builtCommand(), command, ...more], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_PORT: '0',
    CLAVIGER_RATE_LIMITS: 'off',
    CLAVIGER_DRAIN_SECONDS: '0',
    ...settings,
  })
  return await ready(started, dataFolder, command === 'dev' ? 'Stop with Ctrl-C' : '')
}

/** Waits for a service that was started by whatever command, until it is ready and has said the last it has to say. */
export async function ready(
  started: Started,
  dataFolder: string,
  lastWords: string,
): Promise<RunningService> {
  const { child, output, ended, killGroup } = started
  const failure = () => `the service did not become ready:\n${output()}`
  const saidToListen = () => eventIn(output(), 'listening')
  try {
    await eventually(async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(failure())
      const listening = saidToListen()
      return (
        listening !== undefined &&
        output().includes(lastWords) &&
        (await isReady(listening.operator ?? listening.url))
      )
    }, failure)
  } catch (error) {
    killGroup()
    throw error
  }
  const listening = present(saidToListen(), 'what it says when it listens')
  return {
    url: listening.url,
    dataFolder,
    pid: started.pid,
    hostPid: listening.pid,
    vaultPid: listening.vaultPid,
    output,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: async () => {
      killGroup()
      await ended
    },
  }
}

export type Started = {
  readonly child: ChildProcess
  readonly pid: number
  readonly output: () => string
  readonly ended: Promise<number | null>
  readonly killGroup: () => void
}

/** Starts a command in a process group of its own, which is killed when this process ends before it. */
export function start(
  args: readonly string[],
  settings: Settings,
  { program = process.execPath, cwd = projectFolder }: { program?: string; cwd?: string } = {},
): Started {
  const child = spawn(program, args, {
    cwd,
    env: { ...ownEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} cannot be started`)
  const written: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => written.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => written.push(chunk))
  const killGroup = (): void => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  atExit.add(killGroup)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      atExit.delete(killGroup)
      resolve(code)
    })
  })
  return { child, pid, output: () => Buffer.concat(written).toString('utf8'), ended, killGroup }
}

/** Runs a command line to its end; the code is null when it had to be killed because it did not come to one. */
export async function runCommand(
  args: readonly string[],
  settings: Settings = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { ended, output, killGroup } = start([await builtCommand(), ...args], settings)
  const timer = setTimeout(killGroup, ENDED_WITHIN_MS)
  const code = await ended
  clearTimeout(timer)
  return { code, output: output() }
}

/** What the first start of development mode left for its user. */
export function devEnvOf(dataFolder: string): DevEnv {
  const lines = readFileSync(join(dataFolder, 'dev.env'), 'utf8').trim().split('\n')
  const pairs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  // The test that looks at every line of the file holds it to this shape.
  return Object.fromEntries(pairs) as DevEnv
}

/** The lines of the log with this event, as they were written. */
export function eventsIn(output: string, event: string): readonly LogLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine)
    .filter((line) => line.event === event)
}

type LogLine = {
  readonly event: string
  readonly time: string
  readonly level: string
  readonly [name: string]: unknown
}

function eventIn(
  output: string,
  event: string,
):
  | { readonly url: string; readonly operator?: string; readonly pid: number; readonly vaultPid: number }
  | undefined {
  const line = eventsIn(output, event)[0]
  return line === undefined
    ? undefined
    : {
        url: String(line['url']),
        ...(line['operator'] === undefined ? {} : { operator: String(line['operator']) }),
        pid: Number(line['pid']),
        vaultPid: Number(line['vaultPid']),
      }
}

/** False also while it does not accept connections, and once it has ended: the caller looks at which. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** The environment of the test without settings of the service. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CLAVIGER_')))
}
