import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { builtCommand, builtCrashEntry } from '../support/built-service.ts'
import { compileCache } from '../support/compile-cache.ts'
import type { Point } from './points.ts'

export type ServiceProcess = {
  readonly url: string
  readonly pid: number
  readonly vaultPid: number
  readonly startedInMs: number
  /**
   * Resolves when host and vault have both ended: they share one standard output, which closes with the last of them.
   * The exit code is the host's, null when it was killed.
   */
  readonly ended: Promise<number | null>
  readonly isRunning: () => boolean
}

export type StartOf =
  | { readonly kind: 'command'; readonly command: 'dev' | 'serve' }
  /** `bin/claviger.js` of the clone, as an operator runs it. */
  | { readonly kind: 'bin'; readonly command: 'dev' | 'serve' }
  | { readonly kind: 'point'; readonly point: Point; readonly count: number }

// For what hangs: a busy machine may take long.
const START_MAX_MS = 120_000
const END_MAX_MS = 120_000

/** Starts a service on data that is there, or is made by `dev`; it answers when this resolves. */
export async function startProcess(
  start: StartOf,
  environment: { readonly dataFolder: string; readonly databaseUrl?: string },
): Promise<ServiceProcess> {
  const args = await argumentsOf(start)
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      CLAVIGER_PORT: '0',
      CLAVIGER_RATE_LIMITS: 'off',
      CLAVIGER_DRAIN_SECONDS: '0',
      CLAVIGER_DATA: environment.dataFolder,
      ...(environment.databaseUrl === undefined ? {} : { CLAVIGER_DATABASE_URL: environment.databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const isDev = start.kind !== 'point' && start.command === 'dev'
  let said = ''
  const closed = once(child, 'close')
  const listening = await new Promise<{ url: string; pid: number; vaultPid: number }>((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL')
      reject(new Error(`the service did not start (${why}): ${said}`))
    }
    const timer = setTimeout(() => fail(`${START_MAX_MS} ms have passed`), START_MAX_MS)
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8')
      const line = /^\{.*"event":"listening".*\}$/m.exec(said)?.[0]
      // At its first start `dev` writes its file after it has begun to listen, and then greets.
      if (line === undefined || (isDev && !said.includes('Stop with Ctrl-C'))) return
      clearTimeout(timer)
      // Our own log line, with these fields.
      resolve(JSON.parse(line) as { url: string; pid: number; vaultPid: number })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void closed.then(() => {
      clearTimeout(timer)
      fail('it ended')
    })
  })
  // Whatever is done to a service, it meets no bug; what one was stands only here.
  child.stdout.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8')
    if (text.includes('"event":"bug"')) console.error(text)
  })
  const timed = within(
    closed,
    END_MAX_MS,
    () => `host ${listening.pid} or vault ${listening.vaultPid} goes on`,
  )
  // The rejection reaches those who wait; nobody may be waiting yet.
  timed.catch(() => {})
  return {
    ...listening,
    startedInMs: performance.now() - began,
    ended: timed.then(() => child.exitCode),
    isRunning: () => child.exitCode === null && child.signalCode === null,
  }

  /** The time runs from the end of the host, or of the vault, whichever the test sees first: from the first `exit`. */
  function within(done: Promise<unknown>, ms: number, what: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      child.once('exit', () => {
        const timer = setTimeout(() => reject(new Error(what())), ms)
        void done.then(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    })
  }
}

async function argumentsOf(start: StartOf): Promise<readonly string[]> {
  if (start.kind === 'point') return [await builtCrashEntry(), start.point, String(start.count)]
  if (start.kind === 'command') return [await builtCommand(), start.command]
  return [fileURLToPath(new URL('../../bin/claviger.js', import.meta.url)), start.command]
}
